package io.runtimestate.bench;

import io.runtimestate.RuntimeState;
import io.runtimestate.config.EventBusOptions;
import io.runtimestate.config.RuntimeStateOptions;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** The door over the event bus, inside one JVM. */
final class EventBusScenario implements Scenario {
  private static final String BASE = "runtime-state";
  private static final String BARE = "bare request by reference";
  private static final String PLAIN = "request answered by a direct call";
  private static final DeliveryOptions BY_REFERENCE =
      new DeliveryOptions().setCodecName(Reference.NAME).setLocalOnly(true);

  @Override
  public String name() {
    return "event-bus";
  }

  @Override
  public String title() {
    return "Event bus inside one JVM: get";
  }

  @Override
  public void run(Bench bench) throws Exception {
    try (Stage stage = new Stage()) {
      Context owner = stage.loop();
      RuntimeState state = exposed(stage, owner);
      stage.vertx.eventBus().registerCodec(new Reference());
      Stage.on(owner, () -> bareConsumer(stage));
      Stage.on(owner, () -> plainConsumer(stage, state));
      RuntimeState remote = Stage.on(owner, () -> RuntimeState.connect(stage.vertx, BASE));
      List<Peer> peers = peers(stage, state, remote);
      Context other = stage.loop();
      for (int depth : bench.arguments().depths(1, 16, 256)) {
        bench.compare(compared("another loop", other, depth, 0.8, peers));
        bench.compare(compared("owner's loop", owner, depth, 0.7, peers));
      }
    }
  }

  private static RuntimeState exposed(Stage stage, Context owner) throws Exception {
    RuntimeState state =
        stage.state(
            owner,
            new RuntimeStateOptions()
                .setEventBus(new EventBusOptions().setExpose(true).setBase(BASE)));
    Stage.on(owner, () -> fill(state));
    return state;
  }

  private static Future<Void> fill(RuntimeState state) {
    for (long i = 0; i < 8L * Stage.KEYS; i++) {
      state.kv().set(Stage.key(i), Stage.VALUE);
    }
    return Future.succeededFuture();
  }

  private static Comparison compared(
      String where, Context caller, int depth, double target, List<Peer> peers) {
    return Comparison.under(
            new Load(depth, Starts.REPLY, caller), where + ", " + depth + " in flight", peers)
        .target(BARE, Target.atLeast(target));
  }

  private static List<Peer> peers(Stage stage, RuntimeState state, RuntimeState remote) {
    return List.of(
        Peer.of("by reference", (n, slot) -> remote.kv().get(Stage.key(n)).onComplete(slot)),
        Peer.of(
            BARE,
            (n, slot) ->
                stage
                    .vertx
                    .eventBus()
                    .request("bare", Stage.key(n), BY_REFERENCE)
                    .onComplete(slot)),
        Peer.of(
            PLAIN,
            (n, slot) ->
                stage
                    .vertx
                    .eventBus()
                    .request("plain", Stage.key(n), BY_REFERENCE)
                    .onComplete(slot)),
        Peer.of(
            "JSON",
            (n, slot) ->
                stage
                    .vertx
                    .eventBus()
                    .request(BASE + ".kv.get", new JsonObject().put("key", Stage.key(n)))
                    .onComplete(slot)),
        Peer.of("direct call", (n, slot) -> state.kv().get(Stage.key(n)).onComplete(slot)));
  }

  private static Future<Void> bareConsumer(Stage stage) {
    return stage
        .vertx
        .eventBus()
        .<String>localConsumer("bare", message -> message.reply(message.body(), BY_REFERENCE))
        .completion();
  }

  /** What an application would write that has a runtime and shares it over the bus. */
  private static Future<Void> plainConsumer(Stage stage, RuntimeState state) {
    return stage
        .vertx
        .eventBus()
        .<String>localConsumer(
            "plain",
            message ->
                state
                    .kv()
                    .get(message.body())
                    .onSuccess(value -> message.reply(value, BY_REFERENCE)))
        .completion();
  }

  /** Passes the body as it is. */
  private static final class Reference implements MessageCodec<Object, Object> {
    static final String NAME = "bench.reference";

    @Override
    public void encodeToWire(Buffer buffer, Object body) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Object decodeFromWire(int position, Buffer buffer) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Object transform(Object body) {
      return body;
    }

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public byte systemCodecID() {
      return -1;
    }
  }
}

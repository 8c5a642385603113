package io.runtimestate.eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.NetworkConfig;
import io.runtimestate.config.BusScope;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.KvOperation;
import io.runtimestate.operation.Operation;
import io.runtimestate.operation.OperationCatalog;
import io.runtimestate.operation.OperationType;
import io.runtimestate.spi.Callers;
import io.runtimestate.spi.StateBackend;
import io.runtimestate.support.Await;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.json.JsonObject;
import io.vertx.spi.cluster.hazelcast.ConfigUtil;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Two nodes on the loopback address, found without multicast. */
class ClusterTest {
  private static final String LOOPBACK = "127.0.0.1";
  private static final Duration START = Duration.ofSeconds(60);

  private static Vertx here;
  private static Vertx there;

  private FakeDoor door;
  private String base;
  private StateService service;

  @BeforeAll
  static void startNodes() throws IOException {
    String cluster = UUID.randomUUID().toString();
    List<Integer> ports = freePorts();
    here = Await.within(START, node(cluster, ports, 0));
    there = Await.within(START, node(cluster, ports, 1));
  }

  @AfterAll
  static void stopNodes() {
    Await.within(START, there.close());
    Await.within(START, here.close());
  }

  @BeforeEach
  void nameBase(TestInfo test) {
    base = test.getTestMethod().orElseThrow().getName();
    door = new FakeDoor(here);
  }

  @AfterEach
  void closeService() {
    Await.get(service.close());
  }

  @Test
  @DisplayName("C458 scope local: the other node finds no handlers")
  void local_notThere() {
    expose(BusScope.LOCAL);
    RuntimeStateException failure =
        (RuntimeStateException) Await.failure(RemoteBackend.connect(there, base));
    assertThat(failure.code()).isEqualTo(FailureCode.UNAVAILABLE);
    assertThat(failure.mayHaveBeenApplied()).isFalse();
    assertThat(Await.get(connect(here).execute(new KvOperation.Get("k")))).isEmpty();
  }

  @Test
  @DisplayName("C458 scope cluster: by reference on the node itself, JSON from the other")
  void cluster_works() {
    expose(BusScope.CLUSTER);
    KvOperation.Set set = new KvOperation.Set("k", "é\u0000", Optional.empty(), false);
    Await.get(connect(there).execute(set));
    assertThat((Object) door.last()).isEqualTo(set).isNotSameAs(set);
    KvOperation.Get get = new KvOperation.Get("k");
    StateBackend client = connect(here);
    assertThat(Await.get(client.execute(get))).contains("é\u0000");
    assertThat((Object) door.last()).isSameAs(get);
  }

  @Test
  @DisplayName("O01 every operation crosses nodes with built-in types only")
  void cluster_everyOperation() {
    expose(BusScope.CLUSTER);
    StateBackend client = connect(there);
    for (OperationType type : OperationCatalog.all()) {
      for (Operation<?> operation : Samples.operations(type)) {
        Object direct = Samples.results(type.resultType()).get(0);
        door.script(asked -> Callers.succeeded(here, direct));
        assertThat((Object) Await.get(client.execute(operation))).isEqualTo(direct);
        assertThat((Object) door.last()).isEqualTo(operation);
      }
    }
  }

  @Test
  @DisplayName("O01 an unknown field fails at once; O05 numbers cross nodes exactly")
  void cluster_json() {
    expose(BusScope.CLUSTER);
    JsonObject versioned = new JsonObject().put("key", "k").put("version", 2);
    ReplyException refused =
        (ReplyException) Await.failure(there.eventBus().request(base + ".kv.get", versioned));
    assertThat(refused.failureCode()).isEqualTo(FailureCode.INVALID_INPUT.number());
    assertThat(refused).hasMessage("kv.get: version is an unknown field");
    door.script(asked -> Callers.succeeded(here, ((KvOperation.Increment) asked).delta()));
    JsonObject call = new JsonObject().put("key", "k").put("delta", Long.MAX_VALUE);
    Future<Message<JsonObject>> reply = there.eventBus().request(base + ".kv.increment", call);
    assertThat(Await.get(reply).body().getValue("result")).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  @DisplayName("C455 O03 failures keep code and flag between nodes")
  void cluster_failure() {
    expose(BusScope.CLUSTER);
    StateBackend client = connect(there);
    door.failing(
        "kv", new RuntimeStateException(FailureCode.UNAVAILABLE, "kv.take: lost", true, null));
    RuntimeStateException failure =
        (RuntimeStateException) Await.failure(client.execute(new KvOperation.Take("k")));
    assertThat(failure.code()).isEqualTo(FailureCode.UNAVAILABLE);
    assertThat(failure.mayHaveBeenApplied()).isTrue();
    assertThat(failure).hasMessage("kv.take: lost [may have been applied]");
  }

  private void expose(BusScope scope) {
    service = Await.get(StateService.expose(here, door, base, scope));
  }

  private StateBackend connect(Vertx vertx) {
    return Await.get(RemoteBackend.connect(vertx, base));
  }

  private static List<Integer> freePorts() throws IOException {
    try (ServerSocket first = loopbackSocket();
        ServerSocket second = loopbackSocket()) {
      return List.of(first.getLocalPort(), second.getLocalPort());
    }
  }

  private static ServerSocket loopbackSocket() throws IOException {
    return new ServerSocket(0, 1, InetAddress.getByName(LOOPBACK));
  }

  private static Future<Vertx> node(String cluster, List<Integer> ports, int index) {
    Config config = ConfigUtil.loadConfig().setClusterName(cluster);
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.setProperty("hazelcast.logging.type", "slf4j");
    config.setProperty("hazelcast.shutdownhook.enabled", "false");
    network(config.getNetworkConfig(), ports, index);
    VertxOptions options =
        new VertxOptions().setEventBusOptions(new EventBusOptions().setHost(LOOPBACK));
    return Vertx.builder()
        .with(options)
        .withClusterManager(new HazelcastClusterManager(config))
        .buildClustered();
  }

  private static void network(NetworkConfig network, List<Integer> ports, int index) {
    network.setPort(ports.get(index)).setPortAutoIncrement(false);
    network.getInterfaces().setEnabled(true).addInterface(LOOPBACK);
    JoinConfig join = network.getJoin();
    join.getAutoDetectionConfig().setEnabled(false);
    join.getMulticastConfig().setEnabled(false);
    join.getTcpIpConfig().setEnabled(true);
    ports.forEach(port -> join.getTcpIpConfig().addMember(LOOPBACK + ":" + port));
  }
}

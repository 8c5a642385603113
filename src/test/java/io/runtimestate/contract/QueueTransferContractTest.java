package io.runtimestate.contract;

import static io.runtimestate.contract.Fails.assertFails;
import static io.runtimestate.contract.Fails.assertInvalid;
import static io.runtimestate.contract.TestQueue.fields;
import static io.runtimestate.contract.TestQueue.ids;
import static io.runtimestate.contract.TestQueue.values;
import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.Queues;
import io.runtimestate.RuntimeState;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.TransferResult;
import io.runtimestate.data.TransferResult.NotPending;
import io.runtimestate.data.TransferResult.Transferred;
import io.runtimestate.support.AlsoOnRedis;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.Fixture;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;

/** Moving an entry to another stream. */
@AlsoOnRedis({"cluster", "resp2", "limited"})
class QueueTransferContractTest {
  private static final String MAX = "18446744073709551615";

  private static Future<TransferResult> transfer(Fixture f, TestQueue queue, String id) {
    return queue
        .queues()
        .transfer(queue.stream(), queue.group(), id, destination(f), fields("moved"));
  }

  private static String destination(Fixture f) {
    return f.slotKey("destination");
  }

  private static boolean hasDestination(Fixture f) {
    return get(f.state().keys().exists(destination(f)));
  }

  @EachBackend
  @DisplayName("C309 C318 a transferred entry is gone from all groups and readable where it went")
  void transfer_endsItEverywhere(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    TestQueue other = queue.withGroup("other");
    List<String> all = queue.append(3);
    queue.read("c", 2);
    other.read("c", 2);
    Transferred moved = (Transferred) get(transfer(f, queue, all.get(1)));
    assertThat(moved.acked()).isEqualTo(1);
    assertThat(moved.deleted()).isEqualTo(1);
    assertThat(queue.pending()).extracting(entry -> entry.id()).containsExactly(all.get(0));
    assertThat(other.pending()).extracting(entry -> entry.id()).containsExactly(all.get(0));
    assertThat(queue.stats().length()).isEqualTo(2);
    TestQueue there = TestQueue.of(f, "destination");
    assertThat(there.stream()).isEqualTo(destination(f));
    var read = there.read("c", 10);
    assertThat(ids(read)).containsExactly(moved.destinationId());
    assertThat(values(read)).containsExactly("moved");
  }

  @EachBackend
  @DisplayName("C310 of 16 concurrent transfers exactly one moves the entry")
  void transfer_concurrently(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    String id = queue.append();
    queue.read("c", 1);
    List<Future<TransferResult>> calls = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      RuntimeState handle = i % 2 == 0 ? f.state() : f.second();
      calls.add(
          handle.queues().transfer(queue.stream(), queue.group(), id, destination(f), fields("m")));
    }
    assertThat(calls.stream().filter(call -> get(call).isTransferred())).hasSize(1);
    assertThat(get(queue.queues().stats(destination(f))).length()).isEqualTo(1);
  }

  @EachBackend
  @DisplayName("C311 a repeat with other fields archives nothing")
  void transfer_again(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    String id = queue.append();
    queue.read("c", 1);
    assertThat(get(transfer(f, queue, id)).isTransferred()).isTrue();
    assertThat(
            get(
                queue
                    .queues()
                    .transfer(queue.stream(), queue.group(), id, destination(f), fields("other"))))
        .isEqualTo(new NotPending());
    assertThat(values(TestQueue.of(f, "destination").read("c", 10))).containsExactly("moved");
  }

  @EachBackend
  @DisplayName("C312 what is not pending is not transferred and creates no destination")
  void transfer_notPending(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    List<String> all = queue.append(3);
    queue.read("c", 2);
    queue.ack(all.subList(0, 1));
    List<String> none = List.of(all.get(0), all.get(2), "1-1", "0-0", MAX + "-" + MAX);
    for (String id : none) {
      assertThat(get(transfer(f, queue, id))).isEqualTo(new NotPending());
    }
    assertThat(hasDestination(f)).isFalse();
    assertThat(queue.stats().length()).isEqualTo(3);
    assertThat(queue.stats().pending()).isEqualTo(1);
  }

  @EachBackend
  @DisplayName("C313 an id that is not canonical is invalid")
  void transfer_badId(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    List<String> bad =
        List.of(
            "",
            "1",
            "1-",
            "-1-0",
            "+1-0",
            "01-0",
            "1-00",
            "1-+0",
            "1-0x",
            "1-0-0",
            " 1-0",
            "1-0 ",
            "\u0661-0",
            "18446744073709551616-0",
            "0-18446744073709551616");
    for (String id : bad) {
      assertInvalid(transfer(f, queue, id));
    }
    assertInvalid(transfer(f, queue, null));
  }

  @EachBackend
  @DisplayName("C314 wrong names and missing streams or groups change nothing")
  void transfer_invalid(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    String id = queue.append();
    queue.read("c", 1);
    Queues queues = queue.queues();
    String s = queue.stream();
    String g = queue.group();
    String d = destination(f);
    assertInvalid(queues.transfer(" ", g, id, d, fields("m")));
    assertInvalid(queues.transfer(s, " ", id, d, fields("m")));
    assertInvalid(queues.transfer(s, g, id, " ", fields("m")));
    assertInvalid(queues.transfer(s, g, id, s, fields("m")));
    assertInvalid(queues.transfer(s, g, id, d, Map.of()));
    assertInvalid(queues.transfer(s, g, id, d, fields("m"), -1, null));
    assertFails(
        queues.transfer(f.slotKey("missing"), g, id, d, fields("m")), FailureCode.NO_SUCH_STREAM);
    assertFails(queues.transfer(s, "missing", id, d, fields("m")), FailureCode.NO_SUCH_GROUP);
    assertThat(hasDestination(f)).isFalse();
    assertThat(queue.pending()).hasSize(1);
  }

  @EachBackend
  @DisplayName("C315 a destination of another type fails and leaves the source pending")
  void transfer_wrongDestination(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    String id = queue.append();
    queue.read("c", 1);
    get(f.state().kv().set(destination(f), "value"));
    assertFails(transfer(f, queue, id), FailureCode.WRONG_TYPE);
    assertThat(queue.pending()).hasSize(1);
    assertThat(get(transfer(f, queue, "1-1"))).isEqualTo(new NotPending());
    get(f.state().keys().delete(destination(f)));
    assertThat(get(transfer(f, queue, id)).isTransferred()).isTrue();
  }

  @EachBackend
  @DisplayName("C344 a limit trims the destination to its newest")
  void transfer_trims(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    TestQueue there = TestQueue.of(f, "destination");
    there.append(5);
    there.read("c", 5);
    String id = queue.append();
    queue.read("c", 1);
    Transferred moved =
        (Transferred)
            get(
                queue
                    .queues()
                    .transfer(
                        queue.stream(),
                        queue.group(),
                        id,
                        there.stream(),
                        fields("moved"),
                        3,
                        "c"));
    assertThat(there.stats().length()).isEqualTo(3);
    assertThat(there.stats().pending()).isEqualTo(2);
    assertThat(ids(there.read("c", 10))).containsExactly(moved.destinationId());
  }

  @EachBackend
  @DisplayName("2.4 with enforced slots the streams need a common tag, on every backend")
  void transfer_slots(Fixture f) {
    RuntimeState state = f.open(f.options().setEnforceSlots(true));
    Queues queues = state.queues();
    String source = f.key("{a}source");
    get(queues.ensureGroup(source, "g"));
    String id = get(queues.append(source, fields("v")));
    get(queues.read(source, "g", "c"));
    assertFails(
            queues.transfer(source, "g", id, f.key("{b}other"), fields("m")),
            FailureCode.CROSS_SLOT)
        .contains("{tag}");
    assertFails(
        queues.transfer(f.key("{x}missing"), "g", id, f.key("d"), fields("m")),
        FailureCode.CROSS_SLOT);
    assertThat(
            get(queues.transfer(source, "g", id, f.key("{a}other"), fields("m"))).isTransferred())
        .isTrue();
    get(state.keys().deleteMany(List.of(source, f.key("{a}other"))));
  }
}

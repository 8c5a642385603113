package io.runtimestate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.data.KeyValue;
import io.runtimestate.data.ScanPage;
import io.runtimestate.data.Utf8;
import io.runtimestate.operation.KeyOperation;
import io.runtimestate.operation.KvOperation;
import io.runtimestate.spi.StateBackend;
import io.runtimestate.support.Await;
import io.runtimestate.support.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ScanTest extends RedisTest {
  @Test
  @DisplayName("C480: a server restarted in the middle of a scan hides no key")
  void restartInTheMiddle() {
    try (RedisServer server = RedisServer.start()) {
      StateBackend backend = open(options(server.uri()).setCommandTimeout(Duration.ofSeconds(10)));
      List<KeyValue> entries =
          IntStream.range(0, 20_000).mapToObj(i -> new KeyValue("k" + i, "v")).toList();
      run(backend, new KvOperation.SetMany(entries, Optional.empty()));
      AtomicInteger pages = new AtomicInteger();
      SortedSet<String> found =
          scanAll(backend, "k*", 1_000, page -> restartAt(10, page, pages, server, backend));
      assertThat(found).hasSize(20_000);
      assertThat(pages.get()).as("the walk began again").isGreaterThan(28);
    }
  }

  private static void restartAt(
      int at, int page, AtomicInteger pages, RedisServer server, StateBackend backend) {
    pages.set(page);
    if (page == at) {
      server.restartKeepingData();
      Await.until(() -> isUp(backend), "the lane is connected again");
    }
  }

  private static boolean isUp(StateBackend backend) {
    return backend.figures().get("lane.admin.reconnects") > 0;
  }

  /** All pages; the hook hears the number of each page. */
  static SortedSet<String> scanAll(
      StateBackend backend, String pattern, int countHint, IntConsumer hook) {
    SortedSet<String> all = new TreeSet<>(Utf8.BYTE_ORDER);
    Optional<String> cursor = Optional.empty();
    int number = 0;
    do {
      ScanPage page = run(backend, new KeyOperation.Scan(pattern, cursor, countHint));
      assertThat(page.keys()).doesNotHaveDuplicates().isSortedAccordingTo(Utf8.BYTE_ORDER);
      all.addAll(page.keys());
      cursor = page.cursor();
      hook.accept(++number);
    } while (cursor.isPresent());
    return all;
  }
}

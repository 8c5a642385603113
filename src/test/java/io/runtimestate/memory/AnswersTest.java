package io.runtimestate.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.runtimestate.support.Await;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.VertxInternal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class AnswersTest {
  private static final int COUNT = 300;

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(2));
  private final EventLoop one = loop(vertx);
  private final EventLoop other = loop(vertx);
  private final List<Integer> toOne = Collections.synchronizedList(new ArrayList<>());
  private final List<Integer> toOther = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger left = new AtomicInteger();
  private final Answers answers = new Answers(left::addAndGet);

  private static EventLoop loop(Vertx vertx) {
    return ((VertxInternal) vertx).createEventLoopContext().nettyEventLoop();
  }

  /** Notes on which loop it is told. */
  private static final class Noted extends Answers.Answer {
    private final int number;
    private final EventLoop loop;
    private final List<Integer> told;

    Noted(int number, EventLoop loop, List<Integer> told) {
      this.number = number;
      this.loop = loop;
      this.told = told;
    }

    @Override
    void tell() {
      told.add(loop.inEventLoop() ? number : -1);
    }

    @Override
    void end() {
      told.add(-number);
    }
  }

  @AfterEach
  void close() {
    Await.get(vertx.close());
  }

  @Test
  @DisplayName("each loop is told its answers, all of them, in order, on its own thread")
  void eachLoop_inOrder() {
    for (int i = 0; i < COUNT; i++) {
      answers.add(one, new Noted(i, one, toOne));
      if (i % 3 == 0) {
        answers.add(other, new Noted(i, other, toOther));
      }
    }
    answers.send();
    Await.until(() -> toOne.size() == COUNT && toOther.size() == COUNT / 3, "told");
    assertThat(toOne).isEqualTo(IntStream.range(0, COUNT).boxed().toList());
    assertThat(toOther).isEqualTo(IntStream.range(0, COUNT / 3).mapToObj(i -> 3 * i).toList());
    assertThat(left).hasValue(COUNT + COUNT / 3);
  }

  @Test
  @DisplayName("what is sent is not sent again")
  void send_once() {
    answers.add(one, new Noted(1, one, toOne));
    answers.send();
    answers.send();
    answers.add(one, new Noted(2, one, toOne));
    answers.send();
    Await.until(() -> toOne.size() >= 2, "told");
    assertThat(toOne).containsExactly(1, 2);
  }

  @Test
  @DisplayName("answers for a loop that has ended are ended, and others still told")
  void endedLoop() {
    Vertx ended = Vertx.vertx();
    EventLoop gone = loop(ended);
    Await.get(ended.close());
    answers.add(gone, new Noted(1, gone, toOther));
    answers.add(gone, new Noted(2, gone, toOther));
    answers.add(one, new Noted(3, one, toOne));
    answers.send();
    Await.until(() -> toOne.size() == 1, "told");
    assertThat(toOther).containsExactly(-1, -2);
  }
}

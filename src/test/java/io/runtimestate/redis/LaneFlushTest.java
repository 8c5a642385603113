package io.runtimestate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

class LaneFlushTest {
  private int writes;
  private int flushes;

  /** Counts and forwards nothing: the embedded channel would end the turn after each operation. */
  private final EmbeddedChannel channel =
      new EmbeddedChannel(
          new ChannelOutboundHandlerAdapter() {
            @Override
            public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
              writes++;
            }

            @Override
            public void flush(ChannelHandlerContext ctx) {
              flushes++;
            }
          },
          new LaneFlush());

  private void command() {
    channel.pipeline().write("command");
    channel.pipeline().flush();
  }

  @Test
  void theFirstOfATurnGoesAtOnceAndTheOthersTogether() {
    command();
    assertThat(flushes).isEqualTo(1);
    for (int i = 0; i < 10; i++) {
      command();
    }
    assertThat(writes).isEqualTo(11);
    assertThat(flushes).isEqualTo(1);
    channel.runPendingTasks();
    assertThat(flushes).isEqualTo(2);
  }

  @Test
  void aNewTurnBeginsAtOnceAgain() {
    command();
    channel.runPendingTasks();
    command();
    assertThat(flushes).isEqualTo(2);
  }

  @Test
  void whileRepliesAreReadTheyAreMergedAlready() {
    channel.pipeline().fireChannelReadComplete();
    command();
    assertThat(flushes).isEqualTo(1);
  }

  @Test
  void nothingIsLostAtTheEnd() {
    command();
    command();
    channel.close();
    assertThat(flushes).isEqualTo(2);
  }
}

package io.runtimestate.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LaneWriterTest {
  private static final int PIECE_BYTES = 16 << 10;

  private final List<String> writes = new ArrayList<>();
  private final List<ByteBuf> copies = new ArrayList<>();
  private final LaneWriter writer = new LaneWriter(this::written);

  /** The application behind it: sends one command for each that it reads, and one at the end. */
  private final EmbeddedChannel channel =
      new EmbeddedChannel(
          writer,
          new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext ctx, Object message) {
              command((String) message);
            }

            @Override
            public void channelReadComplete(ChannelHandlerContext ctx) {
              writes.add("complete");
            }
          });

  private void written(ByteBuf bytes) {
    writes.add(bytes.toString(US_ASCII));
    if (bytes.isDirect()) {
      copies.add(bytes);
    }
  }

  private void command(String text) {
    writer.write(Unpooled.copiedBuffer(text, US_ASCII));
  }

  @Test
  void theFirstOfATurnGoesAtOnceAndTheOthersTogether() {
    command("a");
    assertThat(writes).containsExactly("a");
    command("b");
    command("c");
    assertThat(writes).containsExactly("a");
    channel.runPendingTasks();
    assertThat(writes).containsExactly("a", "bc");
  }

  @Test
  void aTurnAfterOneThatGatheredGathersFromTheBeginning() {
    command("a");
    command("b");
    channel.eventLoop().execute(() -> command("c"));
    channel.runPendingTasks();
    assertThat(writes).containsExactly("a", "b", "c");
  }

  @Test
  void aNewTurnBeginsAtOnceAgain() {
    command("a");
    channel.runPendingTasks();
    command("b");
    assertThat(writes).containsExactly("a", "b");
  }

  @Test
  void whatIsSentWhileRepliesAreReadGoesTogetherBeforeVertxFlushes() {
    channel.pipeline().fireChannelRead("a");
    channel.pipeline().fireChannelRead("b");
    assertThat(writes).isEmpty();
    channel.pipeline().fireChannelReadComplete();
    assertThat(writes).containsExactly("ab", "complete");
    command("c");
    assertThat(writes).containsExactly("ab", "complete", "c");
  }

  @Test
  void aFullPieceGoesWithoutWaiting() {
    String quarter = "q".repeat(PIECE_BYTES / 4);
    command("a");
    for (int i = 0; i < 5; i++) {
      command(quarter);
    }
    assertThat(writes).containsExactly("a", quarter.repeat(4));
    channel.runPendingTasks();
    assertThat(writes).containsExactly("a", quarter.repeat(4), quarter);
  }

  @Test
  void aLargeCommandIsNotCopiedAndKeepsItsPlace() {
    String large = "l".repeat(PIECE_BYTES);
    command("a");
    command("b");
    command(large);
    command("c");
    channel.runPendingTasks();
    assertThat(writes).containsExactly("a", "b", large, "c");
    assertThat(copies).hasSize(2);
  }

  @Test
  void nothingIsLostAtTheEnd() {
    command("a");
    command("b");
    channel.pipeline().close(); // the channel itself would end the turn first
    ByteBuf last = channel.readOutbound();
    assertThat(last.toString(US_ASCII)).isEqualTo("b");
    last.release();
  }

  @Test
  void whatCannotBeSentAnyMoreIsReleased() {
    UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    channel.config().setAllocator(allocator);
    channel.pipeline().fireChannelRead("a");
    assertThat(allocator.metric().usedDirectMemory()).isPositive();
    channel.pipeline().remove(writer);
    assertThat(allocator.metric().usedDirectMemory()).isZero();
    assertThat(writes).isEmpty();
  }
}

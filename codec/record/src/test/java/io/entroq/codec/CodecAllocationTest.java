package io.entroq.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.entroq.codec.command.ClaimDecoder;
import io.entroq.codec.command.ClaimEncoder;
import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.command.ModifyEncoder;
import io.entroq.codec.command.TaskDataFields;
import io.entroq.codec.effect.EffectKinds;
import io.entroq.codec.effect.EffectParts;
import io.entroq.codec.effect.EffectWriter;
import io.entroq.codec.effect.StepFrame;
import io.entroq.codec.message.ChangeModes;
import io.entroq.codec.message.IdFields;
import io.entroq.codec.message.Slice;
import io.entroq.codec.message.ValueKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.result.ResultEncoder;
import io.entroq.codec.result.TaskFields;
import io.entroq.codec.testing.GoldenFiles;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.IntUnaryOperator;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Reading and writing messages makes no garbage. */
class CodecAllocationTest {
  private static final int WARM_UP = 30_000;
  private static final int ROUNDS = 300_000;

  private final MutableDirectBuffer target = new ExpandableArrayBuffer();
  private final Slice name = new Slice("queue".getBytes(StandardCharsets.UTF_8));
  private final UnsafeBuffer source = new UnsafeBuffer(new byte[200]);

  private static void assertNoGarbage(IntUnaryOperator round) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    int sum = run(round, WARM_UP);
    long before = threads.getCurrentThreadAllocatedBytes();
    sum += run(round, ROUNDS);
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
    assertThat(allocated).as("bytes over %s rounds (%s)", ROUNDS, sum).isLessThan(ROUNDS);
  }

  private static int run(IntUnaryOperator round, int rounds) {
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
      sum += round.applyAsInt(i);
    }
    return sum;
  }

  @Test
  void shouldReadCommandsAndResultsWithoutGarbage() {
    UnsafeBuffer claim = new UnsafeBuffer(GoldenFiles.bytes("Claim"));
    UnsafeBuffer modify = new UnsafeBuffer(GoldenFiles.bytes("Modify"));
    UnsafeBuffer result = new UnsafeBuffer(GoldenFiles.bytes("Result"));
    ClaimDecoder claims = new ClaimDecoder();
    ModifyDecoder modifies = new ModifyDecoder();
    ResultDecoder results = new ResultDecoder();
    assertNoGarbage(
        i -> {
          claims.wrap(claim, 0, claim.capacity());
          modifies.wrap(modify, 0, modify.capacity());
          results.wrap(result, 0, result.capacity());
          return claims.bodyCrc() + modifies.bodyCrc() + results.code();
        });
  }

  @Test
  void shouldWriteCommandsAndResultsWithoutGarbage() {
    ClaimEncoder claims = new ClaimEncoder();
    ModifyEncoder modifies = new ModifyEncoder();
    ResultEncoder results = new ResultEncoder();
    IdFields id = new IdFields();
    TaskDataFields data = new TaskDataFields();
    TaskFields task = new TaskFields();
    assertNoGarbage(
        i -> {
          int length = writeClaim(claims, id, i);
          length += writeModify(modifies, id, data, i);
          length += writeResult(results, task, i);
          return length;
        });
  }

  @Test
  void shouldWriteAndReadEffectsWithoutGarbage() {
    UnsafeBuffer memory = new UnsafeBuffer(ByteBuffer.allocateDirect(1_000));
    EffectWriter writer = new EffectWriter();
    StepFrame frame = new StepFrame();
    assertNoGarbage(
        i -> {
          writer.wrap(memory, 0, memory.capacity()).begin(i, i, 0, 1, source, 0, 9);
          for (int index = 0; index < 3; index++) {
            writer
                .effect(index, EffectKinds.CLAIMED, 0)
                .version(i)
                .id(i, 1)
                .part(EffectParts.QUEUE, source, 10, 20)
                .part(EffectParts.VALUE, source, 0, 100);
          }
          frame.wrap(memory, 0, writer.end());
          int sum = 0;
          while (frame.next()) {
            sum += frame.effect().version() + frame.effect().length(EffectParts.VALUE);
          }
          return sum;
        });
  }

  private int writeClaim(ClaimEncoder claims, IdFields id, int i) {
    return claims
        .wrap(target, 0)
        .identity(1, 2, i + 1, 1)
        .claimant(id.set(1, i))
        .queue(source, 10, 20)
        .leaseMs(i)
        .waits(true)
        .length();
  }

  private int writeModify(ModifyEncoder modifies, IdFields id, TaskDataFields data, int i) {
    data.clear().arrivalMs(i).valueKind(ValueKinds.BYTES);
    data.queue().wrap(source, 10, 20);
    data.value().wrap(source, 0, 100);
    return modifies
        .wrap(target, 0)
        .claimant(id.set(0, 1))
        .insert(id.set(i, 1), data)
        .change(id, i, data, ChangeModes.DEFAULT, name)
        .delete(id, i, name)
        .length();
  }

  private int writeResult(ResultEncoder results, TaskFields task, int i) {
    task.clear().version(i).arrivalMs(i).valueKind(ValueKinds.BYTES).claims(i);
    task.id().set(i, 1);
    task.queue().wrap(source, 10, 20);
    task.value().wrap(source, 0, 100);
    return results
        .wrap(target, 0)
        .code(ResultCodes.OK)
        .sequence(i)
        .logTimeMs(i)
        .claimed(task)
        .length();
  }
}

package io.entroq.perf.jmh;

import io.entroq.codec.command.ClaimDecoder;
import io.entroq.codec.command.ClaimEncoder;
import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.command.ModifyEncoder;
import io.entroq.codec.command.TaskDataFields;
import io.entroq.codec.message.IdFields;
import io.entroq.codec.message.Slice;
import io.entroq.codec.message.ValueKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.result.ResultEncoder;
import io.entroq.codec.result.TaskFields;
import io.entroq.codec.wire.log.Modify;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Reading and writing one message: a claim of three queues, an insert of a task with a value of 100
 * bytes (about 200 bytes in all), and the result of a claim.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(
    value = 2,
    jvmArgsAppend = {"--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED", "-Xmx512m"})
public class CodecBenchmark {
  private static final int VALUE_BYTES = 100;

  private final Slice queue = slice("a queue with a name of forty characters.");
  private final Slice value = new Slice(new byte[VALUE_BYTES]);
  private final IdFields id = new IdFields().set(0x0123_4567_89AB_4DEFL, Long.MIN_VALUE + 1);
  private final IdFields claimant = new IdFields().set(0, 42);
  private final TaskDataFields data = new TaskDataFields();
  private final TaskFields task = new TaskFields();
  private final ClaimEncoder claimEncoder = new ClaimEncoder();
  private final ModifyEncoder modifyEncoder = new ModifyEncoder();
  private final ResultEncoder resultEncoder = new ResultEncoder();
  private final ClaimDecoder claimDecoder = new ClaimDecoder();
  private final ModifyDecoder modifyDecoder = new ModifyDecoder();
  private final ResultDecoder resultDecoder = new ResultDecoder();
  private final MutableDirectBuffer target = new ExpandableArrayBuffer();
  private UnsafeBuffer claim;
  private UnsafeBuffer modify;
  private UnsafeBuffer result;
  private byte[] modifyBytes;

  private static Slice slice(String text) {
    return new Slice(text.getBytes(StandardCharsets.UTF_8));
  }

  @Setup(Level.Trial)
  public void encode() {
    claim = copy(encodeClaim());
    modify = copy(encodeModify());
    modifyBytes = modify.byteArray();
    result = copy(encodeResult());
  }

  private UnsafeBuffer copy(int length) {
    byte[] bytes = new byte[length];
    target.getBytes(0, bytes);
    return new UnsafeBuffer(bytes);
  }

  @Benchmark
  public long decodeClaim() {
    claimDecoder.wrap(claim, 0, claim.capacity());
    return claimDecoder.leaseMs();
  }

  @Benchmark
  public long decodeModify() {
    modifyDecoder.wrap(modify, 0, modify.capacity());
    return modifyDecoder.insert(0).arrivalMs();
  }

  /** The same with protobuf-java, to compare. */
  @Benchmark
  public long decodeModifyGenerated() throws Exception {
    return Modify.parseFrom(modifyBytes).getInserts(0).getData().getArrivalMs();
  }

  /** Computes the checksum that distinguishes a retry from another request. */
  @Benchmark
  public int bodyCrc() {
    modifyDecoder.wrap(modify, 0, modify.capacity());
    return modifyDecoder.bodyCrc();
  }

  @Benchmark
  public long decodeResult() {
    resultDecoder.wrap(result, 0, result.capacity());
    return resultDecoder.claimed(0).arrivalMs();
  }

  @Benchmark
  public int encodeClaim() {
    return claimEncoder
        .wrap(target, 0)
        .identity(1, 2, 300, 299)
        .claimant(claimant)
        .queue(queue)
        .queue(queue)
        .queue(queue)
        .leaseMs(30_000)
        .deadlineMs(1_767_225_600_123L)
        .waits(true)
        .length();
  }

  @Benchmark
  public int encodeModify() {
    data.clear().arrivalMs(1_767_225_600_123L).valueKind(ValueKinds.BYTES).attempt(1);
    data.queue().wrap(queue.buffer(), 0, queue.length());
    data.value().wrap(value.buffer(), 0, value.length());
    return modifyEncoder.wrap(target, 0).claimant(claimant).insert(id, data).length();
  }

  @Benchmark
  public int encodeResult() {
    task.clear()
        .version(3)
        .arrivalMs(1_767_225_600_123L)
        .valueKind(ValueKinds.BYTES)
        .createdMs(1_767_225_600_123L)
        .modifiedMs(1_767_225_600_123L)
        .claims(1);
    task.id().set(id.high(), id.low());
    task.claimant().set(0, 42);
    task.queue().wrap(queue.buffer(), 0, queue.length());
    task.value().wrap(value.buffer(), 0, value.length());
    return resultEncoder
        .wrap(target, 0)
        .code(ResultCodes.OK)
        .sequence(123_456)
        .logTimeMs(1_767_225_600_123L)
        .claimed(task)
        .length();
  }
}

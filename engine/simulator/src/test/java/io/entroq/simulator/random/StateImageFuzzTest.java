package io.entroq.simulator.random;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.engine.memory.ImageException;
import io.entroq.engine.memory.InvariantBrokenException;
import io.entroq.engine.state.Levels;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.UnsupportedLevelException;
import io.entroq.simulator.check.LoggedRecord;
import io.entroq.simulator.random.Chunks.Chunk;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Chunks with correct checksums and invalid content: loading them ends with an exception that
 * explains the error, or with a usable machine.
 */
class StateImageFuzzTest {
  private static final int ACTIONS = 1_500;
  private static final int LOADS = 600;
  private static final int LONG_LOADS = 10_000;
  private static final int REPLAYED_MAX = 150;
  private static final Pattern DIGESTS =
      Pattern.compile("the digest ([0-9a-f]+), and its head says");

  private final TreeMap<String, Integer> reasons = new TreeMap<>();
  private int accepted;

  /** Small images of all that there is, so that one is loaded and used in two milliseconds. */
  @ParameterizedTest
  @ValueSource(longs = {408, 459, 479})
  void shouldEndInAnExceptionWhenAnImageIsNonsense(long seed) {
    fuzz(Long.getLong("test.seed", seed), LOADS);
  }

  @ParameterizedTest
  @ValueSource(longs = {401, 402, 411, 412, 413, 414, 415, 416})
  @Tag("long")
  @Timeout(900)
  void shouldEndInAnExceptionWhenVeryManyImagesAreNonsense(long seed) {
    fuzz(Long.getLong("test.seed", seed), LONG_LOADS);
  }

  private void fuzz(long seed, int loads) {
    List<LoggedRecord> log = WatchedMachine.log(seed, Levels.MAX, ACTIONS);
    int at = log.size() - REPLAYED_MAX;
    Chunks image = image(log.subList(0, at));
    SplittableRandom dice = new SplittableRandom(seed);
    for (int i = 0; i < loads; i++) {
      SplittableRandom one = dice.split();
      List<Chunk> chunks = new ArrayList<>(image.chunks());
      for (int changes = 1 + one.nextInt(4) / 3; changes > 0; changes--) {
        spoil(chunks, one);
      }
      try {
        load(new Chunks(chunks), log.subList(at, log.size()), (int) seed + i);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed + ", load " + i, e);
      }
    }
    System.out.printf(
        "seed %d: %d images, %d taken, refused for %d reasons%n",
        seed, loads, accepted, reasons.size());
    assertThat(reasons).hasSizeGreaterThan(10);
  }

  private void load(Chunks chunks, List<LoggedRecord> rest, int shape) {
    try {
      StateMachine machine = chunks.load(Shapes.of(shape));
      accepted++;
      use(machine, rest);
    } catch (UnsupportedLevelException e) {
      count("level");
    } catch (ImageException e) {
      count(e.getMessage());
      Matcher digests = DIGESTS.matcher(e.getMessage());
      if (digests.find()) {
        load(chunks.withContentDigest(Long.parseUnsignedLong(digests.group(1), 16)), rest, shape);
      }
    }
  }

  private void count(String reason) {
    reasons.merge(reason.replaceAll("-?[0-9]+|queue .* has", "#"), 1, Integer::sum);
  }

  /** It is some valid state: reads and commands work. */
  private static void use(StateMachine machine, List<LoggedRecord> rest) {
    MachineView view = new MachineView(machine);
    view.queueNames().forEach(view::tasks);
    assertThat(machine.recomputeContentDigest()).isEqualTo(machine.contentDigest());
    try {
      rest.forEach(entry -> entry.applyTo(machine, ResultSink.DISCARDING));
      machine.freeze().writeTo(new Chunks());
      machine.thaw();
    } catch (InvariantBrokenException e) {
      // Records out of order, or a time that goes back, are detected and stop the machine.
      return;
    }
    machine.close();
  }

  private static void spoil(List<Chunk> chunks, SplittableRandom dice) {
    int at = dice.nextInt(chunks.size());
    Chunk chunk = chunks.get(at);
    switch (dice.nextInt(40)) {
      case 0 -> chunks.remove(at);
      case 1 -> chunks.add(dice.nextInt(chunks.size()), chunk);
      case 2 -> chunks.set(at, new Chunk(dice.nextInt(18), chunk.items(), chunk.bytes()));
      case 3 ->
          chunks.set(
              at, new Chunk(chunk.kind(), chunk.items() + dice.nextInt(3) - 1, chunk.bytes()));
      case 4 -> chunks.set(at, cut(chunk, dice.nextInt(chunk.bytes().capacity() + 1)));
      default -> chunks.set(at, changed(chunk, dice));
    }
    if (chunks.isEmpty()) {
      chunks.add(chunk);
    }
  }

  private static Chunk cut(Chunk chunk, int length) {
    byte[] bytes = new byte[length];
    chunk.bytes().getBytes(0, bytes);
    return new Chunk(chunk.kind(), chunk.items(), new UnsafeBuffer(bytes));
  }

  private static Chunk changed(Chunk chunk, SplittableRandom dice) {
    UnsafeBuffer bytes = new UnsafeBuffer(new byte[chunk.bytes().capacity()]);
    bytes.putBytes(0, chunk.bytes(), 0, bytes.capacity());
    int ints = bytes.capacity() / Integer.BYTES;
    if (ints > 0) {
      int at = dice.nextInt(ints) * Integer.BYTES;
      int other = bytes.getInt(dice.nextInt(ints) * Integer.BYTES);
      int old = bytes.getInt(at);
      int value =
          switch (dice.nextInt(9)) {
            case 0 -> 0;
            case 1 -> -1;
            case 2 -> Integer.MAX_VALUE;
            case 3 -> Integer.MIN_VALUE;
            case 4 -> old + 1;
            case 5 -> old - 1;
            case 6 -> old ^ 1 << dice.nextInt(32);
            case 7 -> dice.nextInt();
            default -> other;
          };
      bytes.putInt(at, value);
    }
    return new Chunk(chunk.kind(), chunk.items(), bytes);
  }

  private static Chunks image(List<LoggedRecord> log) {
    StateMachine machine = new StateMachine(Shapes.of(0));
    log.forEach(entry -> entry.applyTo(machine, ResultSink.DISCARDING));
    Chunks chunks = new Chunks();
    machine.freeze().writeTo(chunks);
    machine.thaw();
    machine.close();
    return chunks;
  }
}

package io.entroq.perf.cycle;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.entroq.codec.command.ModifyEncoder;
import io.entroq.codec.message.Fairs;
import io.entroq.codec.message.PolicyEncoder;
import io.entroq.codec.message.Slice;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.embedded.DrivenEngine;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.perf.fixture.ScratchDirectory;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.agrona.ExpandableArrayBuffer;

/**
 * Measures what rules cost a caller that drives the engine: cycles of a queue with a rate, a number
 * of tasks in flight and a retry, beside cycles of a queue without rules; and batches of 100 that
 * go through a pool of many keys, of which a few have work, beside batches through one queue.
 *
 * <p>Arguments: rounds (15), cycles per slice (20,000), keys of the pool (100,000), keys with work
 * (1,000).
 */
public final class RulesShare {
  private static final int BATCH = 100;

  private final DrivenEngine engine;
  private final SideBySide sides;
  private final int cycles;
  private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();

  private RulesShare(DrivenEngine engine, SideBySide sides, int cycles) {
    this.engine = engine;
    this.sides = sides;
    this.cycles = cycles;
  }

  public static void main(String[] args) throws IOException {
    SideBySide sides = new SideBySide(number(args, 0, 15));
    int cycles = number(args, 1, 20_000);
    int keys = number(args, 2, 100_000);
    int active = number(args, 3, 1_000);
    try (ScratchDirectory scratch = new ScratchDirectory();
        DrivenEngine engine = DrivenEngine.open(scratch.resolve("engine"))) {
      System.out.println("log in files");
      new RulesShare(engine, sides, cycles).measure(keys, active);
    }
    try (DrivenEngine engine =
        DrivenEngine.open(EmbeddedConfig.inMemory().build(), (sequence, result) -> {})) {
      System.out.println("log in memory");
      new RulesShare(engine, sides, cycles).measure(keys, active);
    }
  }

  private static int number(String[] args, int index, int otherwise) {
    return args.length > index ? Integer.parseInt(args[index]) : otherwise;
  }

  private void measure(int keys, int active) {
    putRules();
    BatchCycle ruled = new BatchCycle(engine, "ruled", List.of("ruled"), 1);
    BatchCycle plain = new BatchCycle(engine, "plain", List.of("plain"), 1);
    sides.measure(
        new SideBySide.Side("with rules", cycles, ruled::cycle),
        new SideBySide.Side("without rules", cycles, plain::cycle));

    putPool();
    List<String> members = IntStream.range(0, keys).mapToObj(key -> "pool/" + key).toList();
    BatchCycle.insertForTomorrow(engine, members);
    BatchCycle pool = new BatchCycle(engine, "pool", members.subList(0, active), BATCH);
    BatchCycle queue = new BatchCycle(engine, "plain", List.of("plain"), BATCH);
    sides.measure(
        new SideBySide.Side("batches, pool", cycles / 10, pool::cycle),
        new SideBySide.Side("batches, one queue", cycles / 10, queue::cycle));
  }

  private void putRules() {
    put(
        policy("ruled")
            .rateLimit(1_000_000)
            .ratePeriodMs(1_000)
            .rateBurst(1_000_000)
            .inFlightMax(1_000)
            .retryBaseMs(1_000)
            .retryMaxMs(60_000)
            .attemptsMax(20));
  }

  private void putPool() {
    put(policy("pool").fair(Fairs.LEAST_IN_FLIGHT));
  }

  private PolicyEncoder policy(String name) {
    return new PolicyEncoder().wrap(buffer, 0).name(new Slice(name.getBytes(UTF_8)));
  }

  private void put(PolicyEncoder policy) {
    ExpandableArrayBuffer command = new ExpandableArrayBuffer();
    int length =
        new ModifyEncoder()
            .wrap(command, 0)
            .claimant(BatchCycle.CLAIMANT)
            .policyPut(buffer, 0, policy.length())
            .length();
    int code = engine.executeEncoded(RecordType.MODIFY, command, 0, length);
    if (code != ResultCodes.OK) {
      throw new IllegalStateException("result " + code);
    }
  }
}

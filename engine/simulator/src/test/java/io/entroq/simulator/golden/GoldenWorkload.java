package io.entroq.simulator.golden;

import com.google.protobuf.Message;
import io.entroq.codec.wire.log.RaiseLevel;
import io.entroq.engine.state.Levels;
import io.entroq.simulator.check.LoggedRecord;
import io.entroq.simulator.random.Action;
import io.entroq.simulator.random.CommandGenerator;
import io.entroq.simulator.random.WatchedMachine;
import java.util.List;

/**
 * What goes into a golden log: commands from a seed, and those that are unlikely to be drawn, at
 * the level before at first, if it is supported. The ledger agrees with every step of it.
 */
final class GoldenWorkload {
  /** With this seed, every result code occurs that a few hundred commands can cause. */
  private static final long SEED = 105;

  private static final int DRAWN = 500;

  /** Longer commands test nothing more. */
  private static final int PAYLOAD_BYTES_MAX = 1_200;

  private GoldenWorkload() {}

  static List<LoggedRecord> records() {
    try (WatchedMachine machine = WatchedMachine.of(SEED)) {
      CommandGenerator generator = machine.begin(SEED, Math.max(Levels.MIN, Levels.MAX - 1));
      GoldenScript script = new GoldenScript(machine::execute);
      draw(generator, machine);
      script.at(machine.logTimeMs()).raise(Levels.MAX);
      draw(generator, machine);
      new GoldenPools(machine::execute, machine.logTimeMs()).play();
      script.at(machine.logTimeMs() + 1).play();
      machine.end();
      return machine.log();
    }
  }

  private static void draw(CommandGenerator generator, WatchedMachine machine) {
    for (int drawn = 0; drawn < DRAWN / 2; ) {
      if (generator.next() instanceof Action.Command command && isWanted(command.payload())) {
        machine.perform(command);
        drawn++;
      }
    }
  }

  private static boolean isWanted(Message command) {
    return !(command instanceof RaiseLevel) && isShort(command);
  }

  private static boolean isShort(Message command) {
    return command.getSerializedSize() <= PAYLOAD_BYTES_MAX;
  }
}

package io.entroq.simulator.golden;

import com.google.protobuf.Message;
import io.entroq.codec.wire.log.RaiseLevel;
import io.entroq.engine.state.Levels;
import io.entroq.simulator.hunt.Beginning;
import io.entroq.simulator.hunt.Distortion;
import io.entroq.simulator.hunt.Feeding;
import io.entroq.simulator.hunt.LoggedRecord;
import io.entroq.simulator.hunt.World;
import io.entroq.simulator.model.ReferenceModel;
import io.entroq.simulator.workload.Action;
import io.entroq.simulator.workload.CommandGenerator;
import java.util.List;

/**
 * What goes into a golden log: commands from a seed and those that chance does not bring about, at
 * the level before at first. Model and engine agree on every step of it.
 */
final class GoldenWorkload {
  /** With this one every result code occurs that a few hundred commands can lead to. */
  private static final long SEED = 30;

  private static final int DRAWN = 420;

  /** Longer commands say nothing that shorter ones do not. */
  private static final int PAYLOAD_BYTES_MAX = 1_200;

  private GoldenWorkload() {}

  static List<LoggedRecord> records() {
    ReferenceModel model = new ReferenceModel();
    CommandGenerator generator = new CommandGenerator(SEED, model.view());
    Beginning beginning = new Beginning(SEED, Levels.MAX - 1, generator.startMs());
    World world = new World(model, beginning, Feeding.LOGGED, Distortion.NONE);
    GoldenScript script = new GoldenScript(world::perform);
    draw(generator, world);
    script.at(world.view().nowMs()).raise(Levels.MAX);
    draw(generator, world);
    script.at(world.view().nowMs() + 1).play();
    world.checkEverything();
    return world.log();
  }

  private static void draw(CommandGenerator generator, World world) {
    for (int drawn = 0; drawn < DRAWN / 2; ) {
      if (generator.next() instanceof Action.Command command && isWanted(command.payload())) {
        world.perform(command);
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

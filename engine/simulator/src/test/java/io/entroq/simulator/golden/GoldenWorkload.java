package io.entroq.simulator.golden;

import com.google.protobuf.Message;
import io.entroq.simulator.hunt.Distortion;
import io.entroq.simulator.hunt.Feeding;
import io.entroq.simulator.hunt.LoggedRecord;
import io.entroq.simulator.hunt.World;
import io.entroq.simulator.model.ReferenceModel;
import io.entroq.simulator.workload.Action;
import io.entroq.simulator.workload.CommandGenerator;
import java.util.List;

/**
 * What goes into a golden log: commands from a seed, then those that chance does not bring about.
 * Model and engine agree on every step of it.
 */
final class GoldenWorkload {
  /** With this one every result code occurs that a few hundred commands can lead to. */
  private static final long SEED = 346;

  private static final int DRAWN = 420;

  /** Longer commands say nothing that shorter ones do not. */
  private static final int PAYLOAD_BYTES_MAX = 1_200;

  private GoldenWorkload() {}

  static List<LoggedRecord> records() {
    ReferenceModel model = new ReferenceModel();
    CommandGenerator generator = new CommandGenerator(SEED, model.view());
    World world = new World(model, SEED, generator.startMs(), Feeding.LOGGED, Distortion.NONE);
    for (int drawn = 0; drawn < DRAWN; ) {
      if (generator.next() instanceof Action.Command command && isShort(command.payload())) {
        world.perform(command);
        drawn++;
      }
    }
    new GoldenScript(world.view().nowMs() + 1, world::perform).play();
    world.checkEverything();
    return world.log();
  }

  private static boolean isShort(Message command) {
    return command.getSerializedSize() <= PAYLOAD_BYTES_MAX;
  }
}

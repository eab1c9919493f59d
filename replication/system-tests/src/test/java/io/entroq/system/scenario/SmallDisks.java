package io.entroq.system.scenario;

import io.entroq.engine.Closing;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A small disk for each member; one at a time is full. Needs root. */
final class SmallDisks implements AutoCloseable {
  private final List<SmallDisk> disks = new ArrayList<>();

  private SmallDisks() {}

  /**
   * Mounts them before the members start.
   *
   * @param directory of the cluster
   */
  static SmallDisks mount(Path directory, int members) throws IOException {
    SmallDisks all = new SmallDisks();
    try {
      for (int id = 0; id < members; id++) {
        all.disks.add(SmallDisk.mount(directory.resolve("member-" + id)));
      }
      return all;
    } catch (Throwable t) {
      Closing.after(t, all);
      throw t;
    }
  }

  /** Fills the disk of the leader or of another member. */
  void fillOne(FaultContext context) throws Exception {
    int leader = context.leader();
    int id = context.random().nextBoolean() ? leader : context.follower();
    context.note("the disk of member " + id + (id == leader ? ", which leads," : "") + " fills");
    disks.get(id).fill(context, id);
  }

  SmallDisk of(int id) {
    return disks.get(id);
  }

  @Override
  public void close() {
    Closing.all(disks.toArray(AutoCloseable[]::new));
  }
}

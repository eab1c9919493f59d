package io.entroq.engine.state;

import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.command.TaskItemDecoder;

/**
 * Looks for room that tasks have left behind. Careful rather than exact: every item has to find
 * room for as many of its size as the command has items.
 */
final class SpareRoom {
  private final Stores stores;

  SpareRoom(Stores stores) {
    this.stores = stores;
  }

  boolean fits(ModifyDecoder modify) {
    int items = modify.insertCount() + modify.changeCount();
    boolean fits = stores.tasks.hasSpareRecords(modify.insertCount());
    for (int i = 0; fits && i < modify.insertCount(); i++) {
      fits = fits(modify.insert(i), items);
    }
    for (int i = 0; fits && i < modify.changeCount(); i++) {
      fits = fits(modify.change(i), items);
    }
    return fits;
  }

  private boolean fits(TaskItemDecoder item, int items) {
    return stores.tasks.hasSpareContents(
        item.valueLength(), item.errLength(), item.idTextLength(), items);
  }
}

package io.entroq.codec.result;

import io.entroq.codec.command.WireReader;

/** Reads a ListQueues. */
public final class ListQueuesDecoder extends NameQueryDecoder {
  private static final int OMIT_STATS_TAG = 4 << 3 | WireReader.VARINT;

  private boolean omitsStats;

  /** A decoder of nothing until it is wrapped. */
  public ListQueuesDecoder() {
    super("ListQueues");
  }

  @Override
  void clear() {
    super.clear();
    omitsStats = false;
  }

  @Override
  void readMore(int tag, WireReader from) {
    if (tag == OMIT_STATS_TAG) {
      omitsStats = from.bool("ListQueues.omit_stats");
    } else {
      from.skip(tag, 4, "ListQueues");
    }
  }

  /** Whether only names and sizes are asked for. */
  public boolean omitsStats() {
    return omitsStats;
  }
}

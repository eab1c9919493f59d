package io.entroq.engine.log.chronicle;

import net.openhft.posix.MAdviseFlag;
import net.openhft.posix.PosixAPI;

/** What the kernel is told of the mapped pages of a segment. For the appending thread. */
final class SegmentPages {
  private SegmentPages() {}

  /**
   * Says that no page tells of the next one. Left alone, the kernel takes a file that is written
   * from front to back for one that is read ahead, and keeps it in pieces of many pages, each of
   * which is dirty as a whole: a force then writes up to a mebibyte for a record of 200 bytes.
   *
   * <p>It costs a page fault for each page. It is advice: where it is not taken, forces are slow
   * and nothing else.
   *
   * @param address of a mapping, at the beginning of a page
   * @param bytes of the mapping, or fewer
   */
  static void useSingly(long address, long bytes) {
    PosixAPI.posix().madvise(address, bytes, MAdviseFlag.MADV_RANDOM);
  }
}

package io.entroq.engine.log.chronicle;

import net.openhft.posix.MAdviseFlag;
import net.openhft.posix.PosixAPI;

/** Kernel advice for the mapped pages of a segment. Appending thread only. */
final class SegmentPages {
  private SegmentPages() {}

  /**
   * Advises random access. Otherwise the kernel treats a sequentially written file as one to read
   * ahead, and keeps it in folios of many pages that are dirty as a whole: a force then writes up
   * to a mebibyte for a record of 200 bytes.
   *
   * <p>It costs a page fault per page. If the kernel ignores the advice, forces are slower.
   *
   * @param address page-aligned address in a mapping
   * @param bytes length of the range
   */
  static void useSingly(long address, long bytes) {
    PosixAPI.posix().madvise(address, bytes, MAdviseFlag.MADV_RANDOM);
  }
}

package io.entroq.simulator.disk;

import io.entroq.simulator.virtual.SeededRandom;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * A file: its content in the page cache, and what differs on the disk.
 *
 * <p>Most files are only appended to. Data appended since the last force is zeros or missing on the
 * disk, so old content is kept only for pages that were overwritten. Forcing the others costs
 * nothing.
 */
final class FileNode extends Node {
  static final int PAGE_BYTES = 4 << 10;
  static final int SECTOR_BYTES = 512;
  private static final int PAGE_SHIFT = 12;
  private static final int LENGTH_MAX = Integer.MAX_VALUE - 8;
  private static final int SPARE_BYTES_MAX = 64 << 10;
  private static final int TORN_ONE_IN = 3;
  private static final byte[] EMPTY = {};

  private final DiskSpace space;
  private final List<SimulatedLock> locks = new ArrayList<>(1);

  /** The disk's content of changed pages, except those that were only appended to. */
  private final Int2ObjectHashMap<byte[]> forcedPages = new Int2ObjectHashMap<>();

  /** At least as long as the file. Zeros from {@link #end} on. */
  private byte[] data = EMPTY;

  private int length;

  /** Nothing was ever written from here on. */
  private int end;

  private int forcedLength;

  /** On the disk, nothing was ever written from here on. */
  private int forcedEnd;

  private int pagesTaken;
  private boolean isLinked;
  private boolean isPromised;

  FileNode(DiskSpace space) {
    this.space = space;
  }

  /** A file whose content is all on the disk. */
  static FileNode of(DiskSpace space, byte[] bytes) {
    FileNode file = new FileNode(space);
    file.data = bytes.clone();
    file.length = bytes.length;
    file.end = bytes.length;
    file.pagesTaken = pages(file.end);
    file.force();
    return file;
  }

  @Override
  boolean isDirectory() {
    return false;
  }

  @Override
  long size() {
    return length;
  }

  /** The locks of processes, dead ones included. */
  List<SimulatedLock> locks() {
    return locks;
  }

  /** The content, which may be written after {@link #prepare}. */
  byte[] data() {
    return data;
  }

  /** Where written data ends and zeros begin. */
  int end() {
    return end;
  }

  byte[] bytes() {
    return Arrays.copyOf(data, length);
  }

  /** Whether the file has a name; without one, it uses no space. */
  void link(boolean hasName) {
    if (isLinked != hasName) {
      isLinked = hasName;
      take(hasName ? pagesTaken : -pagesTaken);
    }
  }

  /** Counts the used space again, after a reset of {@link DiskSpace}. */
  void recount() {
    isLinked = true;
    take(pagesTaken);
  }

  private void take(int pages) {
    space.take((long) pages << PAGE_SHIFT);
  }

  /** Returns the number of bytes read, -1 at the end. */
  int read(ByteBuffer to, long at) {
    if (at >= length) {
      return -1;
    }
    int count = (int) Math.min(to.remaining(), length - at);
    to.put(data, (int) at, count);
    return count;
  }

  /** Returns the number of bytes written: as many as wanted, or as fit on the disk. */
  int write(ByteBuffer from, long at, int wanted) {
    int count = (int) Math.max(0, Math.min(wanted, writable(at)));
    if (count > 0) {
      prepare((int) at, (int) at + count);
      from.get(data, (int) at, count);
    }
    return count;
  }

  /** How many bytes fit at a position. */
  long writable(long at) {
    long most = (long) pagesTaken << PAGE_SHIFT;
    if (isLinked) {
      most += space.usableBytes() & -PAGE_BYTES;
    } else {
      most = LENGTH_MAX;
    }
    return Math.min(most, LENGTH_MAX) - at;
  }

  /** Prepares a write for which there is space. */
  void prepare(int from, int to) {
    if (from < forcedEnd) {
      keepForced(from, Math.min(to, forcedEnd));
    }
    if (to > end) {
      end = to;
      extend(to);
      takeUpTo(pages(to));
    }
  }

  /** Extends a shorter file by zeros that use no space. */
  void extend(int to) {
    if (to > length) {
      length = to;
      requireCapacity(to);
    }
  }

  private void requireCapacity(int bytes) {
    if (bytes > data.length) {
      long doubled = Math.min(LENGTH_MAX, 2L * data.length);
      data = Arrays.copyOf(data, (int) Math.max(bytes, doubled));
    }
  }

  private void takeUpTo(int pages) {
    if (isLinked && pages != pagesTaken) {
      take(pages - pagesTaken);
    }
    pagesTaken = pages;
  }

  /** Keeps the disk's content of some pages below {@link #forcedEnd}. */
  private void keepForced(int from, int to) {
    for (int page = from >> PAGE_SHIFT; page << PAGE_SHIFT < to; page++) {
      if (!forcedPages.containsKey(page)) {
        int start = page << PAGE_SHIFT;
        byte[] old = new byte[PAGE_BYTES];
        System.arraycopy(data, start, old, 0, Math.min(PAGE_BYTES, forcedEnd - start));
        forcedPages.put(page, old);
      }
    }
  }

  void truncate(int to) {
    if (to >= length) {
      return;
    }
    if (to < forcedEnd) {
      keepForced(to, forcedEnd);
    }
    if (to < end) {
      Arrays.fill(data, to, end, (byte) 0);
      end = to;
      takeUpTo(pages(to));
    }
    length = to;
    if (data.length - to > SPARE_BYTES_MAX) {
      data = Arrays.copyOf(data, to);
    }
  }

  /** Overwrites a range with zeros. */
  void wipe(int from, int to) {
    Arrays.fill(data, from, to, (byte) 0);
  }

  @Override
  void force() {
    forcedLength = length;
    forcedEnd = end;
    isPromised = false;
    if (!forcedPages.isEmpty()) {
      forcedPages.clear();
    }
  }

  @Override
  void promise() {
    isPromised |= !isForced();
  }

  /** Whether the bytes before this one are on the disk. */
  boolean isForcedUpTo(int bytes) {
    boolean isForced = bytes <= Math.min(forcedLength, forcedEnd) && !isPromised;
    for (int page = 0; isForced && !forcedPages.isEmpty() && page < pages(bytes); page++) {
      byte[] old = forcedPages.get(page);
      int start = page << PAGE_SHIFT;
      int count = Math.min(PAGE_BYTES, bytes - start);
      isForced = old == null || Arrays.equals(old, 0, count, data, start, start + count);
    }
    return isForced;
  }

  private boolean isForced() {
    return forcedLength == length && forcedEnd == end && forcedPages.isEmpty();
  }

  /**
   * Keeps, loses or tears each page that is not on the disk. The length becomes the current one,
   * the forced one, or one in between.
   *
   * @param keptPermille how many pages of a thousand are kept
   */
  void losePower(SeededRandom random, int keptPermille, PowerLoss loss) {
    if (isForced()) {
      return;
    }
    int lengthBefore = length;
    int left = lengthLeft(random);
    extend(Math.max(Math.max(forcedLength, forcedEnd), left));
    losePages(random, keptPermille, loss);
    if (left > lengthBefore) {
      revert(lengthBefore, left);
    }
    end = Math.max(end, forcedEnd);
    length = Math.max(length, end);
    forcedEnd = 0;
    truncate(left);
    if (left < lengthBefore) {
      loss.onShortened(isPromised);
    }
    pagesTaken = pages(end);
    force();
  }

  private int lengthLeft(SeededRandom random) {
    int least = Math.min(length, forcedLength);
    int most = Math.max(length, forcedLength);
    return switch (random.below(3)) {
      case 0 -> forcedLength;
      case 1 -> length;
      default -> (int) random.between(least, most);
    };
  }

  private void losePages(SeededRandom random, int keptPermille, PowerLoss loss) {
    int pages = pages(Math.max(end, forcedEnd));
    for (int page = firstChanged(); page < pages; page++) {
      if (!isChanged(page)) {
        continue;
      }
      if (random.permille(keptPermille)) {
        loss.onPageKept();
      } else {
        boolean isTorn = random.oneIn(TORN_ONE_IN);
        loss.onPageLost(isTorn, isPromised);
        losePage(page, isTorn ? random : null);
      }
    }
  }

  private int firstChanged() {
    return forcedPages.isEmpty() ? forcedEnd >> PAGE_SHIFT : 0;
  }

  private boolean isChanged(int page) {
    int start = page << PAGE_SHIFT;
    boolean isAppended = start < end && start + PAGE_BYTES > forcedEnd;
    return isAppended || forcedPages.containsKey(page);
  }

  /**
   * @param sectors decides for each sector; null if all are lost
   */
  private void losePage(int page, SeededRandom sectors) {
    int start = page << PAGE_SHIFT;
    for (int at = start; at < start + PAGE_BYTES; at += SECTOR_BYTES) {
      if (sectors == null || sectors.oneIn(2)) {
        revert(at, at + SECTOR_BYTES);
      }
    }
  }

  /** Restores a range from the disk. */
  private void revert(int from, int to) {
    int last = Math.min(to, data.length);
    for (int at = from; at < last; ) {
      int start = at & -PAGE_BYTES;
      int next = Math.min(last, start + PAGE_BYTES);
      byte[] old = forcedPages.get(at >> PAGE_SHIFT);
      if (old != null) {
        System.arraycopy(old, at - start, data, at, next - at);
      } else if (next > forcedEnd) {
        Arrays.fill(data, Math.max(at, forcedEnd), next, (byte) 0);
      }
      at = next;
    }
  }

  /** Flips a bit in memory and on the disk. */
  void flip(int at, int bit) {
    data[at] ^= (byte) (1 << bit);
    byte[] old = forcedPages.get(at >> PAGE_SHIFT);
    if (old != null && at < forcedEnd) {
      old[at & (PAGE_BYTES - 1)] ^= (byte) (1 << bit);
    }
  }

  private static int pages(int bytes) {
    return (bytes + PAGE_BYTES - 1) >>> PAGE_SHIFT;
  }
}

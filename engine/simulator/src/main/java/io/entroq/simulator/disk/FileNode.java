package io.entroq.simulator.disk;

import io.entroq.simulator.virtual.SeededRandom;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * A file: what the page cache holds of it, and of what differs on the disk, what that is.
 *
 * <p>Most files are only ever appended to. What was appended since the last force is zeros on the
 * disk, or not there; so only of pages that were changed below that, the old content is kept, and a
 * force of the others costs nothing.
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

  /** Changed pages and what the disk holds of them, but those that were only appended to. */
  private final Int2ObjectHashMap<byte[]> forcedPages = new Int2ObjectHashMap<>();

  /** At least as long as the file; zeros from {@link #end} on. */
  private byte[] data = EMPTY;

  private int length;

  /** Nothing was ever written behind this. */
  private int end;

  private int forcedLength;

  /** On the disk, nothing was ever written behind this. */
  private int forcedEnd;

  private int pagesTaken;
  private boolean isLinked;
  private boolean isPromised;

  FileNode(DiskSpace space) {
    this.space = space;
  }

  /** With that content, all of it on the disk. */
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

  /** The locks that processes have on it, dead ones among them. */
  List<SimulatedLock> locks() {
    return locks;
  }

  /** Where the file may be read and, once {@link #prepare} has said so, written. */
  byte[] data() {
    return data;
  }

  /** How far anything was ever written: behind it are zeros up to the length. */
  int end() {
    return end;
  }

  byte[] bytes() {
    return Arrays.copyOf(data, length);
  }

  /** It has a name now, or none any more; without, it takes no room. */
  void link(boolean hasName) {
    if (isLinked != hasName) {
      isLinked = hasName;
      take(hasName ? pagesTaken : -pagesTaken);
    }
  }

  /** As of now it takes the room that it needs; the disk counts anew. */
  void recount() {
    isLinked = true;
    take(pagesTaken);
  }

  private void take(int pages) {
    space.take((long) pages << PAGE_SHIFT);
  }

  /** The number of bytes read, -1 at the end. */
  int read(ByteBuffer to, long at) {
    if (at >= length) {
      return -1;
    }
    int count = (int) Math.min(to.remaining(), length - at);
    to.put(data, (int) at, count);
    return count;
  }

  /** The number of bytes written: as many as are wanted or the disk has room for. */
  int write(ByteBuffer from, long at, int wanted) {
    int count = (int) Math.max(0, Math.min(wanted, writable(at)));
    if (count > 0) {
      prepare((int) at, (int) at + count);
      from.get(data, (int) at, count);
    }
    return count;
  }

  /** How many bytes can be written there, for room and for what a file can hold. */
  long writable(long at) {
    long most = (long) pagesTaken << PAGE_SHIFT;
    if (isLinked) {
      most += space.usableBytes() & -PAGE_BYTES;
    } else {
      most = LENGTH_MAX;
    }
    return Math.min(most, LENGTH_MAX) - at;
  }

  /** Bytes are about to be written there, for which there is room. */
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

  /** Makes it as long as that, if it is shorter, by zeros that take no room. */
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

  /** Keeps what is on the disk of the pages from here to there, below {@link #forcedEnd}. */
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

  /** As if nothing had been written there. */
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

  /** Whether the bytes in front of this one are on the disk as they are here. */
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
   * Every page that is not on the disk is kept, lost or torn, and the length is what it is, what it
   * was, or something between.
   *
   * @param keptPermille so many pages of a thousand are kept
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
   * @param sectors decides about each sector; null if all are lost
   */
  private void losePage(int page, SeededRandom sectors) {
    int start = page << PAGE_SHIFT;
    for (int at = start; at < start + PAGE_BYTES; at += SECTOR_BYTES) {
      if (sectors == null || sectors.oneIn(2)) {
        revert(at, at + SECTOR_BYTES);
      }
    }
  }

  /** Makes these bytes what is on the disk. */
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

  /** A bit is another than it was, in memory as on the disk. */
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

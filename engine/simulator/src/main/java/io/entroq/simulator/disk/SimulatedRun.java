package io.entroq.simulator.disk;

import io.entroq.engine.log.RunAppender;
import io.entroq.engine.log.SegmentLayout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Locale;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A run of the log, whose records are written straight into the page cache, as into mapped memory.
 * Each record counts as one call to the disk: a process may die before it or in the middle.
 */
final class SimulatedRun implements RunAppender {
  /** Files grow in steps, as mapped files do. */
  private static final int STEP_BYTES = 64 << 10;

  private final SimulatedPath run;
  private final DiskProcess process;
  private final UnsafeBuffer target = new UnsafeBuffer(0, 0);
  private FileNode file;
  private SimulatedPath path;
  private long segment;
  private long next = SegmentLayout.FIRST_RECORD_OFFSET;
  private int position;
  private int length;
  private boolean dies;

  SimulatedRun(SimulatedPath run) {
    this.run = run;
    this.process = run.process();
  }

  @Override
  public void roll() {
    segment++;
    next = SegmentLayout.FIRST_RECORD_OFFSET;
    file = null;
  }

  @Override
  public MutableDirectBuffer open(long at, int recordBytes) {
    if (at != next) {
      throw new IllegalStateException(
          String.format(Locale.ROOT, "the next record stands at %d, not %d", next, at));
    }
    dies = process.begin();
    if (file == null) {
      create();
    }
    position = Math.toIntExact(at);
    length = recordBytes;
    requireRoom();
    file.extend((position + length + STEP_BYTES - 1) & -STEP_BYTES);
    file.prepare(position - SegmentLayout.WORD_BYTES, position + length);
    target.wrap(file.data(), position, length);
    return target;
  }

  private void create() {
    try {
      path = (SimulatedPath) run.resolve(SegmentLayout.fileName(segment));
      file = process.tree().createFile(path.location());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A full or failing disk causes the error of mapped memory. */
  private void requireRoom() {
    DiskFaults faults = process.disk().faults();
    if (faults.isWriteFailing(path.location())) {
      throw DiskException.failure().inMemory();
    }
    if (file.writable(position) < length) {
      faults.onRefused();
      throw DiskException.noRoom().inMemory();
    }
  }

  @Override
  public void commit() {
    if (dies) {
      file.wipe(position + length / 2, position + length);
      process.end(true);
    }
    target.wrap(file.data(), position - SegmentLayout.WORD_BYTES, SegmentLayout.WORD_BYTES);
    target.putInt(0, length, ByteOrder.LITTLE_ENDIAN);
    next = SegmentLayout.next(position, length);
  }

  @Override
  public void rollback() {
    file.wipe(position, position + length);
  }

  @Override
  public Path file() {
    return path;
  }

  @Override
  public void close() {
    // Nothing to release.
  }
}

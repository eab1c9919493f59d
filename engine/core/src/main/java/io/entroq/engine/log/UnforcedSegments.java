package io.entroq.engine.log;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The segments that may have unforced bytes, oldest first. The appending thread adds them; one
 * thread at a time forces and removes them.
 */
final class UnforcedSegments implements AutoCloseable {
  private final LogDirectory directory;
  private final Forcer forcer;
  private Link newest = new Link(null);
  private Link oldest = newest;

  UnforcedSegments(LogDirectory directory, Forcer forcer) {
    this.directory = directory;
    this.forcer = forcer;
  }

  /** Called by the appending thread when records go to a new file. */
  void add(Path file) {
    Link link = new Link(file);
    newest.next = link;
    newest = link;
  }

  /**
   * Forces all segments in order, so that a later segment never counts as forced before an earlier
   * one. One thread at a time.
   */
  void force() throws IOException {
    while (true) {
      // Read before forcing: only a segment without a successor can still grow.
      Link next = oldest.next;
      oldest.force(directory, forcer);
      if (next == null) {
        return;
      }
      oldest.close();
      oldest = next;
    }
  }

  /** Call it when no thread appends or forces any more. */
  @Override
  public void close() throws IOException {
    oldest.close();
  }

  private static final class Link {
    private final Path file;
    volatile Link next;
    private FileChannel channel;

    Link(Path file) {
      this.file = file;
    }

    void force(LogDirectory directory, Forcer forcer) throws IOException {
      if (file == null) {
        return;
      }
      if (channel == null) {
        // Force the directory entry first: an open channel implies that the entry is forced.
        Path run = file.getParent();
        forcer.force(run.toString(), directory::forceNames);
        channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
      }
      forcer.force(file.toString(), () -> channel.force(false));
    }

    void close() throws IOException {
      if (channel != null) {
        channel.close();
      }
    }
  }
}

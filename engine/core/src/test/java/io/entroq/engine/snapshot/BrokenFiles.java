package io.entroq.engine.snapshot;

import io.entroq.engine.log.Forcer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A file system on which one step fails, or at which the process ends. */
final class BrokenFiles extends SnapshotFiles {
  private final int fatalStep;
  private final boolean isKilled;
  private final List<String> steps = new ArrayList<>();
  private boolean isBroken;

  private BrokenFiles(int fatalStep, boolean isKilled) {
    super(Forcer.DISK);
    this.fatalStep = fatalStep;
    this.isKilled = isKilled;
  }

  /** The step fails once; those after it work. */
  static BrokenFiles failingAt(int step) {
    return new BrokenFiles(step, false);
  }

  /** Nothing is done from that step on. */
  static BrokenFiles killedAt(int step) {
    return new BrokenFiles(step, true);
  }

  /** Whether the step has come. */
  boolean isBroken() {
    return isBroken;
  }

  List<String> steps() {
    return steps;
  }

  private void step(String name) throws IOException {
    steps.add(name);
    if (isKilled && isBroken) {
      throw new Killed();
    }
    if (steps.size() == fatalStep) {
      isBroken = true;
      if (isKilled) {
        throw new Killed();
      }
      throw new IOException("No space left on device");
    }
  }

  @Override
  void createDirectory(Path directory) throws IOException {
    step("mkdir");
    super.createDirectory(directory);
  }

  @Override
  FileChannel create(Path file) throws IOException {
    step("create");
    return super.create(file);
  }

  @Override
  void write(FileChannel channel, ByteBuffer bytes) throws IOException {
    int whole = bytes.limit();
    bytes.limit(bytes.position() + bytes.remaining() / 2);
    super.write(channel, bytes);
    bytes.limit(whole);
    step("write");
    super.write(channel, bytes);
  }

  @Override
  void force(Path file, FileChannel channel) throws IOException {
    step("force");
    super.force(file, channel);
  }

  @Override
  void forceDirectory(Path directory) throws IOException {
    step("force directory");
    super.forceDirectory(directory);
  }

  @Override
  void rename(Path from, Path to) throws IOException {
    step("rename");
    super.rename(from, to);
  }

  @Override
  void delete(Path file) throws IOException {
    step("delete");
    super.delete(file);
  }

  /** The process is no more. */
  static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }
}

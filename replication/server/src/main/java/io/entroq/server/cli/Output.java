package io.entroq.server.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Standard output. Unlike {@link System#out}, it can tell that a write failed because the reader
 * closed the pipe, as {@code head} does. That is not an error.
 */
final class Output extends FilterOutputStream {
  private static final Path OUTPUT = Path.of("/proc/self/fd/1");

  private volatile boolean isReaderGone;

  Output() {
    super(new FileOutputStream(FileDescriptor.out));
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      isReaderGone |= isPipe();
      throw e;
    }
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  /**
   * Whether the output is a pipe, to which writes fail only if its reader has closed it. Java
   * reports the error itself only as localized text.
   */
  private static boolean isPipe() {
    try {
      return Files.readSymbolicLink(OUTPUT).toString().startsWith("pipe:");
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  boolean isReaderGone() {
    return isReaderGone;
  }
}

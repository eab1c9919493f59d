package io.entroq.server.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The standard output, which remembers why it could not be written: that nobody wants to read on,
 * as behind {@code | head}, is no error. {@link System#out} only knows that something failed.
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
   * A pipe fails for no other reason. The error itself would tell, but all that Java keeps of it is
   * a text in the language of the locale.
   */
  private static boolean isPipe() {
    try {
      return Files.readSymbolicLink(OUTPUT).toString().startsWith("pipe:");
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  /** Whether nobody reads what is written any more. */
  boolean isReaderGone() {
    return isReaderGone;
  }
}

package io.entroq.perf.disk;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * The disk use of a directory. Java reports only the lengths of files, and a segment of the log is
 * longer than what was written to it, so {@code du} counts the blocks.
 */
final class DiskUse {
  private static final long KIB = 1 << 10;

  private final Path directory;

  DiskUse(Path directory) {
    this.directory = directory;
  }

  /** Bytes of allocated blocks. */
  long blockBytes() throws IOException, InterruptedException {
    // If a file disappears meanwhile, du prints an error and the sum of the others.
    Process du =
        new ProcessBuilder("du", "-sk", directory.toString())
            .redirectError(Redirect.DISCARD)
            .start();
    try (BufferedReader out =
        new BufferedReader(new InputStreamReader(du.getInputStream(), StandardCharsets.US_ASCII))) {
      String line = out.readLine();
      du.waitFor();
      if (line == null) {
        throw new IOException("du -sk " + directory + " prints nothing; does the directory exist?");
      }
      return Long.parseLong(line.substring(0, line.indexOf('\t'))) * KIB;
    }
  }

  /** Total length of files, including holes. */
  long lengthBytes() throws IOException {
    Lengths lengths = new Lengths();
    Files.walkFileTree(directory, lengths);
    return lengths.bytes;
  }

  private static final class Lengths extends SimpleFileVisitor<Path> {
    private long bytes;

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      bytes += attributes.size();
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
      // Deleted since it was listed.
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path visited, IOException e) {
      return FileVisitResult.CONTINUE;
    }
  }
}

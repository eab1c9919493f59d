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
 * What a directory takes on the disk. Java knows the lengths of files only, and a segment of the
 * log is longer than what has been written of it; so {@code du} is asked for the blocks.
 */
final class DiskUse {
  private static final long KIB = 1 << 10;

  private final Path directory;

  DiskUse(Path directory) {
    this.directory = directory;
  }

  /** Bytes of the blocks that are allocated. */
  long blockBytes() throws IOException, InterruptedException {
    // Files come and go meanwhile; of those that went du complains, and still gives the sum.
    Process du =
        new ProcessBuilder("du", "-sk", directory.toString())
            .redirectError(Redirect.DISCARD)
            .start();
    try (BufferedReader out =
        new BufferedReader(new InputStreamReader(du.getInputStream(), StandardCharsets.US_ASCII))) {
      String line = out.readLine();
      du.waitFor();
      if (line == null) {
        throw new IOException("du -sk " + directory + " says nothing; is the directory there?");
      }
      return Long.parseLong(line.substring(0, line.indexOf('\t'))) * KIB;
    }
  }

  /** Bytes of the lengths of files, holes in them too. */
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
      // Gone between listing and looking.
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path visited, IOException e) {
      return FileVisitResult.CONTINUE;
    }
  }
}

package io.entroq.server.damage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Directories with all that is in them. */
final class Tree {
  private static final int ZEROS_MAX = 8 << 10;

  private Tree() {}

  static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> walk = Files.walk(from)) {
      for (Path each : walk.toList()) {
        Path target = to.resolve(from.relativize(each).toString());
        if (Files.isDirectory(each)) {
          Files.createDirectories(target);
        } else {
          Files.copy(each, target, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
  }

  /**
   * Takes most of the zeros from the ends of segments: those that a process has left which was
   * killed are tens of megabytes long, and a few kilobytes of them say the same.
   */
  static void shorten(Path directory) throws IOException {
    for (Path segment : segments(directory)) {
      byte[] bytes = Files.readAllBytes(segment);
      int end = bytes.length;
      while (end > 0 && bytes[end - 1] == 0) {
        end--;
      }
      if (end + ZEROS_MAX < bytes.length) {
        try (FileChannel channel = FileChannel.open(segment, StandardOpenOption.WRITE)) {
          channel.truncate(end + ZEROS_MAX);
        }
      }
    }
  }

  static void delete(Path tree) throws IOException {
    if (!Files.exists(tree)) {
      return;
    }
    Files.walkFileTree(
        tree,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, IOException e)
              throws IOException {
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** The segments of a log, in the order of their runs and numbers. */
  static List<Path> segments(Path directory) throws IOException {
    try (Stream<Path> walk = Files.walk(directory.resolve("log"))) {
      return walk.filter(file -> file.toString().endsWith(".cq4")).sorted().toList();
    }
  }

  static List<Path> children(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> list = Files.list(directory)) {
      return list.sorted().toList();
    }
  }

  /**
   * Every directory and every file with a checksum of its content, but for what says who uses or
   * reads the directory.
   */
  static Map<String, Integer> image(Path directory) throws IOException {
    Map<String, Integer> image = new TreeMap<>();
    try (Stream<Path> walk = Files.walk(directory)) {
      for (Path each : walk.toList()) {
        String name = directory.relativize(each).toString();
        if (!name.equals("lock") && !name.startsWith("readers")) {
          image.put(name, Files.isDirectory(each) ? 0 : Arrays.hashCode(Files.readAllBytes(each)));
        }
      }
    }
    return image;
  }

  static void write(Path file, long offset, byte[] bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(bytes), offset);
    }
  }
}

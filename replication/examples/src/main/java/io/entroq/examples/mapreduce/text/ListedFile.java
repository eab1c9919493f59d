package io.entroq.examples.mapreduce.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A text file as it was when it was listed.
 *
 * @param path relative to the listed directory
 * @param size in bytes
 * @param modifiedNanos when it was last modified, in nanoseconds since the epoch
 */
public record ListedFile(String path, long size, long modifiedNanos) {
  /** The current state of a file. */
  public static ListedFile of(Path root, Path file, BasicFileAttributes attributes) {
    return new ListedFile(
        root.relativize(file).toString(),
        attributes.size(),
        attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS));
  }

  /**
   * The path of the file.
   *
   * @throws InvalidPathException if its name cannot be represented in the locale of this JVM
   */
  public Path in(Path root) {
    return root.resolve(path);
  }

  /**
   * Whether the path leads to this file. Names are bytes, and some bytes are not text in every
   * locale.
   */
  boolean isAt(Path root, Path file) {
    try {
      return in(root).equals(file);
    } catch (InvalidPathException e) {
      return false;
    }
  }

  /**
   * How the file has changed since it was listed, judged by its size and modification time.
   *
   * @return empty if it is unchanged
   */
  public Optional<String> difference(Path root) {
    try {
      BasicFileAttributes now =
          Files.readAttributes(in(root), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (!now.isRegularFile()) {
        return Optional.of(path + " is no longer a file");
      }
      return equals(of(root, in(root), now))
          ? Optional.empty()
          : Optional.of(path + " has changed");
    } catch (InvalidPathException e) {
      return Optional.of(path + " cannot be represented in this locale");
    } catch (IOException e) {
      return Optional.of(path + (Files.exists(in(root)) ? " cannot be read" : " no longer exists"));
    }
  }

  /** Divides the file into chunks of this size; the last may be shorter. An empty file has none. */
  public List<Chunk> chunks(int chunkBytes) {
    List<Chunk> chunks = new ArrayList<>();
    for (long from = 0; from < size; from += chunkBytes) {
      chunks.add(new Chunk(this, from, Math.min(size, from + chunkBytes)));
    }
    return chunks;
  }
}

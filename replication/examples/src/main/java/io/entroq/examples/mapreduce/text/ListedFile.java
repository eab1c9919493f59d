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
 * @param path from the directory that was listed
 * @param size in bytes
 * @param modifiedNanos when it was written last, nanoseconds since the epoch
 */
public record ListedFile(String path, long size, long modifiedNanos) {
  /** Notes how a file is now. */
  public static ListedFile of(Path root, Path file, BasicFileAttributes attributes) {
    return new ListedFile(
        root.relativize(file).toString(),
        attributes.size(),
        attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS));
  }

  /**
   * Where the file is.
   *
   * @throws InvalidPathException if its name cannot be told in the locale of this JVM
   */
  public Path in(Path root) {
    return root.resolve(path);
  }

  /**
   * Whether that is the given file: names are bytes, and not all bytes are text in every locale.
   */
  boolean isAt(Path root, Path file) {
    try {
      return in(root).equals(file);
    } catch (InvalidPathException e) {
      return false;
    }
  }

  /**
   * What has become of the file since it was listed, judged by its size and the time of its last
   * change.
   *
   * @return empty if it is as it was
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
      return Optional.of(path + " cannot be named in the locale of this run");
    } catch (IOException e) {
      return Optional.of(path + (Files.exists(in(root)) ? " cannot be read" : " has vanished"));
    }
  }

  /** Cuts the file into chunks of that many bytes, the last one shorter; an empty file has none. */
  public List<Chunk> chunks(int chunkBytes) {
    List<Chunk> chunks = new ArrayList<>();
    for (long from = 0; from < size; from += chunkBytes) {
      chunks.add(new Chunk(this, from, Math.min(size, from + chunkBytes)));
    }
    return chunks;
  }
}

package io.entroq.examples.mapreduce.text;

import java.nio.file.Path;
import java.util.List;

/**
 * The text files below a directory, as they were when it was read.
 *
 * @param root the directory
 * @param files its text files, in the order of their paths
 * @param binaryFiles how many files were left out because they are not text
 * @param unreadable what could not be read, and why, one line each
 */
public record FileListing(
    Path root, List<ListedFile> files, long binaryFiles, List<String> unreadable) {
  /** Copies the lists. */
  public FileListing {
    files = List.copyOf(files);
    unreadable = List.copyOf(unreadable);
  }

  /** The sizes of all files together. */
  public long bytes() {
    return files.stream().mapToLong(ListedFile::size).sum();
  }
}

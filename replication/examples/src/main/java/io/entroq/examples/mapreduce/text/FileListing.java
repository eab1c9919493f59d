package io.entroq.examples.mapreduce.text;

import java.nio.file.Path;
import java.util.List;

/**
 * The text files below a directory, as they were when it was listed.
 *
 * @param root the directory
 * @param files its text files, sorted by path
 * @param binaryFiles how many files were skipped because they are not text
 * @param unreadable one line for each unreadable file, with the reason
 */
public record FileListing(
    Path root, List<ListedFile> files, long binaryFiles, List<String> unreadable) {
  /** Copies the lists. */
  public FileListing {
    files = List.copyOf(files);
    unreadable = List.copyOf(unreadable);
  }

  /** The total size of all files. */
  public long bytes() {
    return files.stream().mapToLong(ListedFile::size).sum();
  }
}

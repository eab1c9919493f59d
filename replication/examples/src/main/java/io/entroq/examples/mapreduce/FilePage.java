package io.entroq.examples.mapreduce;

import io.entroq.examples.mapreduce.text.ListedFile;
import java.util.ArrayList;
import java.util.List;

/** A page of the list of files as a task's value: one line per file, ended by a zero byte. */
final class FilePage {
  private static final char END = '\0';

  private FilePage() {}

  /** Formats one line. */
  static String format(ListedFile file) {
    return file.size() + " " + file.modifiedNanos() + " " + file.path() + END;
  }

  /** Reads lines that {@link #format} wrote. */
  static List<ListedFile> parse(String page) {
    List<ListedFile> files = new ArrayList<>();
    int from = 0;
    while (from < page.length()) {
      int end = page.indexOf(END, from);
      String[] fields = page.substring(from, end).split(" ", 3);
      files.add(new ListedFile(fields[2], Long.parseLong(fields[0]), Long.parseLong(fields[1])));
      from = end + 1;
    }
    return files;
  }
}

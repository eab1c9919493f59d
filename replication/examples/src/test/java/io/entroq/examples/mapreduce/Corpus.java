package io.entroq.examples.mapreduce;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** Random text that is hard to cut: code points of one to four bytes, and invalid UTF-8. */
public final class Corpus {
  private static final String[] SMALL = {
    "a",
    "Z",
    "7",
    "é",
    "Σ",
    "İ",
    "ж",
    "語",
    "字",
    "e\u0301",
    "\uD801\uDC00",
    "\uD83D\uDE00",
    " ",
    " ",
    "\n",
    ".",
    "_",
    "，",
    "\u00A0"
  };

  private Corpus() {}

  /** The seed of a test run, which is printed; {@code -Dtest.seed=...} sets it. */
  public static Random random(String test) {
    String given = System.getProperty("test.seed");
    long seed = given == null ? System.nanoTime() : Long.parseLong(given);
    System.out.println(test + ": -Dtest.seed=" + seed);
    return new Random(seed);
  }

  /** Text of about this many bytes. */
  public static byte[] text(Random random, int bytes) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    while (text.size() < bytes) {
      int draw = random.nextInt(40);
      if (draw == 0) {
        // No zero, which would make it binary.
        text.write(1 + random.nextInt(255));
      } else if (draw == 1) {
        text.writeBytes("x".repeat(random.nextInt(150)).getBytes(StandardCharsets.UTF_8));
      } else {
        String part = SMALL[random.nextInt(SMALL.length)];
        text.writeBytes(part.getBytes(StandardCharsets.UTF_8));
      }
    }
    return text.toByteArray();
  }

  /** Writes this many files into a directory and its subdirectory. */
  public static void write(Random random, Path root, int files, int bytes) throws IOException {
    Files.createDirectories(root.resolve("below it"));
    for (int i = 0; i < files; i++) {
      String name = (i % 2 == 0 ? "" : "below it/") + "file " + i + ".txt";
      Files.write(root.resolve(name), text(random, random.nextInt(2 * bytes)));
    }
  }
}

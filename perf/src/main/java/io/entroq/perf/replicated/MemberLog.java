package io.entroq.perf.replicated;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a member has logged about elections and stalls.
 *
 * @param elections that it has started
 * @param failures to join the cluster, each reason once an election
 * @param stallMs the longest stall of each of its threads, in milliseconds
 * @param lines about elections
 */
record MemberLog(int elections, int failures, Map<String, Long> stallMs, List<String> lines) {
  private static final Pattern STALL =
      Pattern.compile("stalled in its (.+?) for ([\\d,]+) ms(?:.* for up to ([\\d,]+) ms)?");

  private static final List<String> ELECTION =
      List.of("starts an election", "could not join", "in term", "has had no leader");

  /**
   * Reads a log.
   *
   * @param from the first line that counts
   */
  static MemberLog read(Path file, int from) throws IOException {
    int elections = 0;
    int failures = 0;
    Map<String, Long> stallMs = new TreeMap<>();
    List<String> lines = new ArrayList<>();
    for (String line : Files.readAllLines(file).stream().skip(from).toList()) {
      elections += line.contains("starts an election") ? 1 : 0;
      failures += line.contains("could not join") ? 1 : 0;
      if (ELECTION.stream().anyMatch(line::contains)) {
        lines.add(line);
      }
      Matcher stall = STALL.matcher(line);
      if (stall.find()) {
        stallMs.merge(stall.group(1), number(stall.group(2)), Math::max);
        stallMs.merge(stall.group(1), number(stall.group(3)), Math::max);
      }
    }
    return new MemberLog(elections, failures, stallMs, lines);
  }

  private static long number(String digits) {
    return digits == null ? 0 : Long.parseLong(digits.replace(",", ""));
  }

  /** The number of lines so far. */
  static int length(Path file) throws IOException {
    return Files.readAllLines(file).size();
  }
}

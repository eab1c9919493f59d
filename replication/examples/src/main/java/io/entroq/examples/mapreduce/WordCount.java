package io.entroq.examples.mapreduce;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Asks for the words of a file to be counted, waits for it, and prints the most frequent ones. */
public final class WordCount {
  private static final int PIECE_CHARS = 16 << 10;
  private static final int WORDS_SHOWN = 20;

  private WordCount() {}

  /**
   * Runs it.
   *
   * @param args the address of a server; the name of the count; a file of text in UTF-8, or none to
   *     wait for a count that somebody has asked for already
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    CountQueues queues = new CountQueues(args[1]);
    try (EntroQ queue = EntroQ.connect(args[0])) {
      if (args.length > 2) {
        ask(queue, queues, pieces(Files.readString(Path.of(args[2])), PIECE_CHARS));
      }
      Task result = queue.claim(Claim.from(queues.result()));
      print(Counts.CODEC.decode(result.value()));
      queue.modify(Modification.delete(result)).orThrow();
    }
  }

  /**
   * Asks for a count, the whole of it or nothing.
   *
   * @param pieces up to 8 MiB of text, whose counts take up to 1 MiB
   */
  static void ask(EntroQ queue, CountQueues queues, List<String> pieces) {
    queue.modify(PlanHandler.begin(queues, pieces)).orThrow();
  }

  private static void print(Counts counts) {
    counts.byWord().entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .limit(WORDS_SHOWN)
        .forEach(entry -> System.out.println(entry.getValue() + " " + entry.getKey()));
  }

  /** Cuts a text between lines, so that no word is in two pieces. */
  static List<String> pieces(String text, int chars) {
    List<String> pieces = new ArrayList<>();
    StringBuilder piece = new StringBuilder();
    for (String line : text.lines().toList()) {
      piece.append(line).append('\n');
      if (piece.length() >= chars) {
        pieces.add(piece.toString());
        piece.setLength(0);
      }
    }
    pieces.add(piece.toString());
    return pieces;
  }
}

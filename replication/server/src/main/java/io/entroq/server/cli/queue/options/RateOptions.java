package io.entroq.server.cli.queue.options;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** The rules that queues and limiters have. */
public final class RateOptions {
  @Option(
      names = "--rate",
      paramLabel = "N/TIME",
      description = "Start at most so many tasks in each time, such as 100/1s.")
  private String rate;

  @Option(
      names = "--burst",
      paramLabel = "N",
      description = "Tasks that may start at once after a quiet time. Default: 1.")
  private String burst;

  @Option(
      names = "--in-flight",
      paramLabel = "N",
      description = "Tasks that may be in flight at once; 0: no limit.")
  private String inFlight;

  /** The given rules by key. */
  public Map<String, List<String>> texts() {
    Map<String, List<String>> texts = new LinkedHashMap<>();
    put(texts, "rate", rate);
    put(texts, "burst", burst);
    put(texts, "in-flight", inFlight);
    return texts;
  }

  static void put(Map<String, List<String>> texts, String key, String text) {
    if (text != null) {
      texts.put(key, List.of(text));
    }
  }
}

package io.entroq.server.cli.admin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A runbook of the guide to clusters.
 *
 * @param title of its section
 * @param commands that it shows, and what they print
 */
record Runbook(String title, List<String> commands) {
  private static final Path GUIDE = Path.of("../guides/running-a-cluster.md");

  static Runbook of(String title) throws IOException {
    return all().stream()
        .filter(runbook -> runbook.title().equals(title))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no runbook: " + title));
  }

  static List<Runbook> all() throws IOException {
    List<Runbook> all = new ArrayList<>();
    boolean isOperation = false;
    for (String line : Files.readAllLines(GUIDE)) {
      if (line.startsWith("## ")) {
        isOperation = line.equals("## Operate it");
      } else if (isOperation && line.startsWith("### ")) {
        all.add(new Runbook(line.substring(4), new ArrayList<>()));
      } else if (line.startsWith("    ") && isOperation && !all.isEmpty()) {
        all.get(all.size() - 1).commands().add(line.strip());
      }
    }
    return all;
  }
}

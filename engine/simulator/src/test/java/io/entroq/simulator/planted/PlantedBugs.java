package io.entroq.simulator.planted;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the bugs from the resources, one file for each area:
 *
 * <pre>
 * bug its-name
 * breaks what goes wrong with it
 * in io.entroq.engine.state.TheClass
 *  a line that stays
 * -a line that goes
 * +a line that comes
 * {@literal @}
 * -at another place
 * </pre>
 */
final class PlantedBugs {
  private static final List<String> AREAS =
      List.of(
          "claim",
          "modify",
          "parking",
          "receipts",
          "indexes",
          "docs",
          "memory",
          "snapshot",
          "log",
          "recovery",
          "upkeep",
          "clock",
          "worker",
          "history",
          "replicas");

  private final String area;
  private final List<PlantedBug> bugs = new ArrayList<>();
  private final List<Hunk> hunks = new ArrayList<>();
  private final List<String> lines = new ArrayList<>();
  private String name;
  private String breaks;
  private String className;

  private PlantedBugs(String area) {
    this.area = area;
  }

  /** All there are, by area. */
  static List<PlantedBug> all() {
    return of(AREAS);
  }

  /**
   * Those of policies, pools and topics, which random commands meet far more often than a world,
   * and of the order of effects, which random commands watch step by step.
   */
  static List<PlantedBug> ofPolicies() {
    return of(List.of("policies", "failures", "pools", "topics", "feed"));
  }

  private static List<PlantedBug> of(List<String> areas) {
    List<PlantedBug> all = new ArrayList<>();
    for (String area : areas) {
      all.addAll(new PlantedBugs(area).read());
    }
    return all;
  }

  private List<PlantedBug> read() {
    for (String line : text().lines().toList()) {
      if (line.startsWith("bug ")) {
        endBug();
        name = line.substring("bug ".length());
      } else if (line.startsWith("breaks ")) {
        breaks = line.substring("breaks ".length());
      } else if (line.startsWith("in ")) {
        className = line.substring("in ".length());
      } else if (line.equals("@")) {
        endHunk();
      } else if (Hunk.isLine(line)) {
        lines.add(line);
      } else if (!line.isEmpty() && !line.startsWith("#")) {
        throw new IllegalStateException("in the bugs of " + area + ": " + line);
      }
    }
    endBug();
    return bugs;
  }

  private String text() {
    try (InputStream in = PlantedBugs.class.getResourceAsStream("/planted/" + area + ".bugs")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void endBug() {
    if (name != null) {
      endHunk();
      bugs.add(new PlantedBug(name, area, breaks, className, hunks));
      hunks.clear();
    }
  }

  private void endHunk() {
    hunks.add(new Hunk(lines));
    lines.clear();
  }
}

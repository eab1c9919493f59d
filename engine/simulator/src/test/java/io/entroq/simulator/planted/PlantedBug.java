package io.entroq.simulator.planted;

import java.util.List;

/**
 * A mistake that somebody could have made.
 *
 * @param name in kebab case
 * @param area the part of the product that it is in
 * @param breaks what goes wrong with it
 * @param className the class that is changed
 * @param hunks the changes of its source, from top to bottom
 */
record PlantedBug(String name, String area, String breaks, String className, List<Hunk> hunks) {
  PlantedBug {
    hunks = List.copyOf(hunks);
  }

  /** The source of the class with the bug in it. */
  String plantIn(List<String> source) {
    List<String> changed = source;
    for (Hunk hunk : hunks) {
      changed = hunk.applyTo(changed);
    }
    return String.join("\n", changed);
  }

  /** How many members the worlds have in which it is looked for. */
  int members() {
    return area.equals("replicas") ? 3 : 1;
  }

  @Override
  public String toString() {
    return name;
  }
}

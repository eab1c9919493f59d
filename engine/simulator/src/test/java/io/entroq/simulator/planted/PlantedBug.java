package io.entroq.simulator.planted;

import java.util.List;

/**
 * A plausible mistake in the product.
 *
 * @param name in kebab case
 * @param area the part of the product
 * @param breaks its effect
 * @param className the class that is changed
 * @param hunks the changes of the source, from top to bottom
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

  /** The number of members in its worlds. */
  int members() {
    return area.equals("replicas") ? 3 : 1;
  }

  @Override
  public String toString() {
    return name;
  }
}

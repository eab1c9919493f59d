package io.entroq.simulator.planted;

import java.util.Map;
import java.util.function.Function;

/** Makes worlds with a bug in them. Any thread. */
final class Planting {
  private final Sources sources = new Sources();

  /** The source of the bug's class with the bug in it. */
  String source(PlantedBug bug) {
    return bug.plantIn(sources.of(bug.className()));
  }

  /** The product with the bug, loaded on its own. */
  PlantingLoader plant(PlantedBug bug) {
    return new PlantingLoader(MemoryCompiler.compile(Map.of(bug.className(), source(bug))));
  }

  /** The product as it is, loaded in the same way. */
  PlantingLoader plantNothing() {
    return new PlantingLoader(Map.of());
  }

  /** What is run there: text in and text out, as its own classes are others than ours. */
  @SuppressWarnings("unchecked")
  static Function<Map<String, String>, Map<String, String>> run(
      PlantingLoader loader, Class<?> runClass) {
    return (Function<Map<String, String>, Map<String, String>>) loader.instance(runClass.getName());
  }
}

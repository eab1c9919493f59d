package io.entroq.simulator.planted;

import java.util.Map;
import java.util.function.Function;

/** Loads the product with a planted bug. Any thread. */
final class Planting {
  private final Sources sources = new Sources();

  /** The source of the bug's class with the bug in it. */
  String source(PlantedBug bug) {
    return bug.plantIn(sources.of(bug.className()));
  }

  /** The product with the bug, in its own class loader. */
  PlantingLoader plant(PlantedBug bug) {
    return new PlantingLoader(MemoryCompiler.compile(Map.of(bug.className(), source(bug))));
  }

  /** The unchanged product, loaded in the same way. */
  PlantingLoader plantNothing() {
    return new PlantingLoader(Map.of());
  }

  /** The run of a loader, with text as input and output because its classes differ from ours. */
  @SuppressWarnings("unchecked")
  static Function<Map<String, String>, Map<String, String>> run(
      PlantingLoader loader, Class<?> runClass) {
    return (Function<Map<String, String>, Map<String, String>>) loader.instance(runClass.getName());
  }
}

package io.entroq.console.screen;

import io.entroq.console.call.CallFailedException;
import io.entroq.console.view.Part;
import java.util.List;
import java.util.function.Supplier;

/** Parts of pages whose failure does not keep the others from being shown. */
final class Parts {
  private Parts() {}

  /**
   * The parts, or why they cannot be shown.
   *
   * @param what they show: the subject of a sentence
   */
  static List<Part> orWhyNot(String what, Supplier<List<Part>> parts) {
    try {
      return parts.get();
    } catch (CallFailedException e) {
      return List.of(
          Part.Note.of(
              Part.Tone.PROBLEM, "%s cannot be shown: %s.".formatted(what, e.refusal().message())));
    }
  }

  /** As {@link #orWhyNot}, of one part. */
  static Part oneOrWhyNot(String what, Supplier<Part> part) {
    return orWhyNot(what, () -> List.of(part.get())).get(0);
  }
}

package io.entroq.simulator.planted;

import io.entroq.simulator.hunt.Distortion;
import io.entroq.simulator.hunt.Hunt;
import io.entroq.simulator.hunt.HuntFailure;
import java.util.Map;
import java.util.function.Function;

/** One hunt with the model; loaded together with the planted bug. */
public final class HuntRun implements Function<Map<String, String>, Map<String, String>> {
  /** The rule that was broken; nothing if none was. */
  @Override
  public Map<String, String> apply(Map<String, String> terms) {
    try {
      new Hunt(Long.parseLong(terms.get("seed")), Distortion.NONE)
          .run(Integer.parseInt(terms.get("actions")));
      return Map.of();
    } catch (HuntFailure failure) {
      return Map.of("rule", failure.rule());
    }
  }
}

package io.entroq.console.screen;

import io.entroq.codec.wire.edge.Effect;
import io.entroq.codec.wire.edge.EffectKind;
import io.entroq.console.value.TimeText;
import io.entroq.console.view.Cell;
import io.entroq.console.view.Part;
import java.util.ArrayList;
import java.util.List;

/** The attempts to do a task: who claimed it, for how long, and how that ended. */
final class Attempts {
  private Attempts() {}

  /** A table of the attempts in a history, which may begin in the middle of one. */
  static Part.Table table(List<Effect> history) {
    List<List<Cell>> rows = new ArrayList<>();
    Effect claim = null;
    for (Effect effect : history) {
      if (claim != null && isEnd(claim, effect)) {
        rows.add(row(rows.size() + 1, claim, effect));
        claim = null;
      }
      if (effect.getKind() == EffectKind.EFFECT_CLAIMED) {
        claim = effect;
      }
    }
    if (claim != null) {
      rows.add(row(rows.size() + 1, claim, null));
    }
    return new Part.Table(
        "Attempts",
        List.of(
            Part.Column.number("Attempt"),
            Part.Column.of("Worker"),
            Part.Column.of("Began"),
            Part.Column.of("Took"),
            Part.Column.of("How it ended"),
            Part.Column.of("Error")),
        rows,
        "Nobody has claimed it in the history that is kept.");
  }

  private static boolean isEnd(Effect claim, Effect effect) {
    return switch (effect.getKind()) {
      // A lease that ends now is given back; a longer one goes on.
      case EFFECT_RENEWED -> EffectWords.isDue(effect);
      // Its worker may write how far it is.
      case EFFECT_CHANGED ->
          effect.getFailed()
              || EffectWords.isDue(effect)
              || !effect.getRequester().equals(claim.getTask().getClaimantId());
      case EFFECT_INSERTED -> false;
      default -> true;
    };
  }

  private static List<Cell> row(int number, Effect claim, Effect end) {
    return List.of(
        Cell.of(number),
        Cell.of(claim.getTask().getClaimantId()),
        Cell.of(TimeText.at(claim.getTimeMs())),
        Cell.of(end == null ? "" : TimeText.duration(end.getTimeMs() - claim.getTimeMs())),
        Cell.of(end == null ? "Not ended" : EffectWords.what(end)),
        Cell.of(end == null ? "" : EffectWords.error(end)));
  }
}

package io.entroq.console.screen;

import io.entroq.codec.wire.edge.Effect;
import io.entroq.codec.wire.edge.Task;
import io.entroq.console.value.ErrText;
import io.entroq.console.value.TaskWords;
import io.entroq.console.value.TimeText;

/** What happened to a task, in plain words. */
final class EffectWords {
  private EffectWords() {}

  /** What happened. */
  static String what(Effect effect) {
    Task task = effect.getTask();
    return switch (effect.getKind()) {
      case EFFECT_INSERTED -> "Inserted into " + task.getQueue();
      case EFFECT_CLAIMED ->
          "Claimed by %s for %s".formatted(task.getClaimantId(), remaining(effect));
      case EFFECT_RENEWED -> {
        if (isDue(effect)) {
          yield "Made available at once";
        }
        yield (task.getInFlight() ? "Lease renewed for " : "Kept back for ") + remaining(effect);
      }
      case EFFECT_CHANGED -> effect.getFailed() ? "Failed, as its worker wrote" : "Changed";
      case EFFECT_MOVED ->
          "%s from %s to %s"
              .formatted(
                  effect.getFailed() ? "Failed, and was moved by its worker" : "Moved",
                  effect.getFormerQueue(),
                  task.getQueue());
      case EFFECT_DELETED -> effect.getWasInFlight() ? "Done: deleted by its worker" : "Deleted";
      case EFFECT_GIVEN_BACK -> "Given back, because its worker has gone";
      case EFFECT_FAILED -> isDue(effect) ? "Failed" : "Failed; rests for " + remaining(effect);
      case EFFECT_DIED ->
          "Moved to %s: %s".formatted(task.getQueue(), TaskWords.reason(task.getReason()));
      case EFFECT_EXPIRED -> "Deleted, because it expired";
      case EFFECT_LAPSED -> "Its lease ended without an outcome";
      case EFFECT_TAKEN_BACK -> "Taken back by " + who(effect);
      case EFFECT_DROPPED -> "Deleted to make room in " + task.getQueue();
      default -> effect.getKind().name();
    };
  }

  /** Whether its task was available then. */
  static boolean isDue(Effect effect) {
    return effect.getTask().getAtMs() <= effect.getTimeMs();
  }

  private static String remaining(Effect effect) {
    return TimeText.duration(effect.getTask().getAtMs() - effect.getTimeMs());
  }

  /** Who asked for it. */
  static String who(Effect effect) {
    return effect.getRequester().isEmpty() ? "the server" : effect.getRequester();
  }

  /** Its error, if it came with this. */
  static String error(Effect effect) {
    return switch (effect.getKind()) {
      case EFFECT_FAILED, EFFECT_DIED -> ErrText.line(effect.getTask().getErr());
      default -> effect.getFailed() ? ErrText.line(effect.getTask().getErr()) : "";
    };
  }
}

package io.entroq.simulator.hunt;

import com.google.protobuf.Message;
import io.entroq.simulator.model.StepAnswers;

/** Stands between engine and model; a test of the model lies here. */
@FunctionalInterface
public interface Distortion {
  /** Passes everything on as it is. */
  Distortion NONE = (command, answers) -> answers;

  /** What the model is told instead of what the engine said about a command. */
  StepAnswers distort(Message command, StepAnswers answers);
}

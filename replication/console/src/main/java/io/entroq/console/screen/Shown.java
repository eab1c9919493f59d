package io.entroq.console.screen;

import io.entroq.console.call.CallFailedException;
import io.entroq.console.read.Visit;
import io.entroq.console.view.Page;
import io.entroq.console.view.Past;
import java.util.Optional;

/**
 * A page that is made, and what surrounds it.
 *
 * @param status of HTTP
 * @param problems how many there are; negative if nobody knows
 * @param past empty for the present
 */
record Shown(int status, Page page, int problems, Optional<Past> past) {
  static final int PROBLEMS_UNKNOWN = -1;

  /** How many problems there are. */
  static int problems(Visit visit) {
    try {
      return visit.reads().overview().getProblemsCount();
    } catch (CallFailedException e) {
      return PROBLEMS_UNKNOWN;
    }
  }
}

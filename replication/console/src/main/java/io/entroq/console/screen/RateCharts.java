package io.entroq.console.screen;

import io.entroq.codec.wire.edge.EventCounts;
import io.entroq.codec.wire.edge.QueueRates;
import io.entroq.codec.wire.edge.RatesRequest;
import io.entroq.codec.wire.edge.RatesResponse;
import io.entroq.console.chart.LineChart;
import io.entroq.console.chart.LineChart.Series;
import io.entroq.console.chart.Sparkline;
import io.entroq.console.read.Visit;
import io.entroq.console.value.TimeText;
import io.entroq.console.view.Part;
import io.entroq.service.call.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What happened to tasks over the last hour. */
final class RateCharts {
  private static final int CHART_STEP_S = 10;
  private static final int CHART_POINTS = 360;
  private static final int SPARK_STEP_S = 60;
  private static final int SPARK_POINTS = 60;

  private RateCharts() {}

  /**
   * A chart and the numbers of the last minute.
   *
   * @param queue empty for all queues together
   */
  static Part chart(Visit visit, String queue) {
    RatesRequest.Builder request =
        RatesRequest.newBuilder().setStepS(CHART_STEP_S).setPoints(CHART_POINTS);
    if (!queue.isEmpty()) {
      request.addQueue(queue);
    }
    RatesResponse response = visit.reads().ask(Method.RATES, request.build());
    int unknown = unknownPoints(visit, response);
    if (response.getRatesCount() == 0
        || !response.getRates(0).getKept()
        || response.getRates(0).getDoneCount() <= unknown) {
      return Part.Note.of(
          Part.Tone.NOTE,
          visit.isPast()
              ? "There is no chart up to then: what happens is counted while the server runs, for a"
                  + " day, and for the busiest queues."
              : "There is no chart of this queue: little happens here, and only the busiest have"
                  + " one.");
    }
    QueueRates rates = response.getRates(0);
    List<Series> series = new ArrayList<>();
    series.add(series("Inserted", rates.getInsertedList(), unknown));
    series.add(series("Claimed", rates.getClaimedList(), unknown));
    series.add(series("Done", rates.getDoneList(), unknown));
    series.add(series("Failed", rates.getFailedList(), unknown));
    series.add(series("Lapsed", rates.getLapsedList(), unknown));
    series.add(series("Died", rates.getDeadList(), unknown));
    String gaps =
        response.getGapsCount() == 0
            ? ""
            : ", with %d gaps in which events may have been missed"
                .formatted(response.getGapsCount());
    int points = rates.getDoneCount() - unknown;
    long spanMs = Duration.ofSeconds((long) CHART_STEP_S * points).toMillis();
    String span = visit.isPast() ? TimeText.duration(spanMs) + " until then" : "the last hour";
    return new Part.Chart("What happens", LineChart.of(series, "tasks a second", span + gaps));
  }

  private static Series series(String name, List<Integer> counts, int unknown) {
    return new Series(
        name,
        counts.stream()
            .skip(unknown)
            .mapToDouble(count -> count / (double) CHART_STEP_S)
            .toArray());
  }

  /** How many of the first points are of a time when nobody counted: zero, as if all was quiet. */
  private static int unknownPoints(Visit visit, RatesResponse response) {
    long ms = response.getSinceMs() - response.getFromMs();
    long stepMs = Duration.ofSeconds(response.getStepS()).toMillis();
    return visit.isPast() && ms > 0 && stepMs > 0
        ? (int) Math.min(Integer.MAX_VALUE, (ms + stepMs - 1) / stepMs)
        : 0;
  }

  /** Small charts of what was done a minute, by queue; of the busiest only. */
  static Map<String, Sparkline> sparks(Visit visit, Collection<String> queues) {
    if (queues.isEmpty()) {
      return Map.of();
    }
    RatesResponse response =
        visit
            .reads()
            .ask(
                Method.RATES,
                RatesRequest.newBuilder()
                    .addAllQueue(queues)
                    .setStepS(SPARK_STEP_S)
                    .setPoints(SPARK_POINTS)
                    .build());
    int unknown = unknownPoints(visit, response);
    Map<String, Sparkline> sparks = new HashMap<>();
    for (QueueRates rates : response.getRatesList()) {
      if (rates.getKept() && rates.getDoneCount() > unknown) {
        double[] done =
            rates.getDoneList().stream().skip(unknown).mapToDouble(each -> each).toArray();
        String span =
            visit.isPast() ? "done a minute, until then" : "done a minute, in the last hour";
        sparks.put(rates.getQueue(), Sparkline.of(span, done));
      }
    }
    return sparks;
  }

  /** What happened, as a sentence. */
  static String words(Visit visit, EventCounts counts) {
    if (visit.isPast() && counts.equals(EventCounts.getDefaultInstance())) {
      // Nothing, or nobody knows.
      return "";
    }
    return "%,d in, %,d started, %,d done, %,d failed"
        .formatted(counts.getInserted(), counts.getClaimed(), counts.getDone(), counts.getFailed());
  }

  /** When figures were read that serve everybody. */
  static Part readAt(Visit visit, long readMs, long nowMs) {
    return Part.Note.of(
        Part.Tone.TEXT,
        visit.isPast()
            ? "The figures are those of then."
            : "The figures of queues were read " + TimeText.ago(readMs, nowMs) + ".");
  }
}

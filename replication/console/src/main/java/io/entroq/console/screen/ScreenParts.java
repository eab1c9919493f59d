package io.entroq.console.screen;

import io.entroq.console.call.AdminCalls;
import io.entroq.console.call.ServiceCalls;
import java.util.List;

/**
 * What pages are made from.
 *
 * @param mask JSON pointers to what viewers do not see
 * @param description of the queue and its durability, for people
 */
public record ScreenParts(
    ServiceCalls calls, AdminCalls admin, List<String> mask, String description) {}

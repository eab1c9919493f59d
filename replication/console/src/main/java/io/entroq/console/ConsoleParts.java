package io.entroq.console;

import io.entroq.service.admin.AdminService;
import io.entroq.service.call.Service;

/**
 * What a console shows.
 *
 * @param service of the v1 API with all its filters; takes a context with a principal as
 *     authenticated
 * @param admin likewise
 * @param description of the queue and its durability, for people
 */
public record ConsoleParts(Service service, AdminService admin, String description) {}

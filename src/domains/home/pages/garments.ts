/**
 * The dry weight of a piece of clothing, in grams, from light to heavy. The letters name the
 * sources in docs/decisions/0150.
 */
import { msg, type MessageKey } from '../../../i18n/messages.ts';

export interface Garment {
  name: MessageKey;
  /** The weight of one piece. */
  gramsLow: number;
  gramsHigh: number;
}

const garment = (name: MessageKey, gramsLow: number, gramsHigh: number): Garment => ({ name, gramsLow, gramsHigh });

export const GARMENTS: readonly Garment[] = [
  garment(msg('T-shirt'), 125, 225), // D, H
  garment(msg('Shirt'), 200, 300), // D, L
  garment(msg('Trousers'), 400, 600), // L
  garment(msg('Jeans'), 450, 700), // D, H
  garment(msg('Kurta'), 220, 460), // C
  garment(msg('Saree'), 360, 900), // C, T
  garment(msg('Dress'), 150, 350), // D
  garment(msg('Skirt'), 225, 450), // H
  garment(msg('Sweater'), 350, 900), // D, H
  garment(msg('Underwear'), 30, 85), // D, H
  garment(msg('Socks, pair'), 50, 115), // D, H
  garment(msg('Towel'), 350, 900), // D, L
  garment(msg('Bedsheet, double'), 640, 960), // D
];
